// SPDX-License-Identifier: Apache-2.0
// rule: none
// The host and the device take turns with managed memory: each touch waits for the stream, and each
// copy follows the touch.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory result(kPage);
  Stream stream;
  void* managed = nullptr;
  need(aclrtMemAllocManaged(&managed, 2 * kPage, ACL_RT_MEM_ATTACH_GLOBAL));
  auto* const bytes = static_cast<volatile char*>(managed);
  need(aclrtMemset(result, kPage, 1, kPage));
  for (int step = 0; step < 4; ++step) {
    need(aclrtMemcpyAsync(managed, kPage, result, kPage, ACL_MEMCPY_DEFAULT, stream));
    need(aclrtMemManagedPrefetchAsync(managed, kPage, {ACL_MEM_LOCATIONTYPE_HOST, 0}, 0, stream));
    bytes[kPage] = static_cast<char>(step);  // not in flight
    need(aclrtSynchronizeStream(stream));
    bytes[0] = static_cast<char>(bytes[0] + 1);
    need(aclrtMemcpyAsync(result, kPage, managed, kPage, ACL_MEMCPY_DEFAULT, stream));
    need(aclrtSynchronizeStream(stream));
  }
  use(bytes[0]);
  need(aclrtFree(managed));
  return 0;
}
