// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// cpu: freed pinned memory is guarded
// The host writes into pinned memory that it has freed.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(kPage);
  Stream stream;
  void* memory = nullptr;
  need(aclrtMallocHost(&memory, kPage));
  auto* values = static_cast<volatile char*>(memory);
  values[0] = 1;
  need(aclrtMemcpyAsync(target, kPage, memory, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtFreeHost(memory));
  values[0] = 2;
  return 0;
}
