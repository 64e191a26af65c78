// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: managed memory is guarded as pinned memory is
// The host reads the result in managed memory, whose address it can use at any time, before the
// copy into it is done.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory result(kPage);
  Stream stream;
  void* managed = nullptr;
  need(aclrtMemAllocManaged(&managed, kPage, ACL_RT_MEM_ATTACH_GLOBAL));
  need(aclrtMemset(result, kPage, 1, kPage));
  need(aclrtMemcpyAsync(managed, kPage, result, kPage, ACL_MEMCPY_DEFAULT, stream));
  use(static_cast<volatile char*>(managed)[0]);
  need(aclrtSynchronizeStream(stream));
  need(aclrtFree(managed));
  return 0;
}
