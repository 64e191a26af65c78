// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// A block is evicted and freed, and then saved through a table entry that still has its address.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Stream stream;
  void* block = nullptr;
  need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemset(block, kPage, 1, kPage));
  need(aclrtFree(block));
  aclrtMemcpyAsync(saved, kPage, block, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream);
  aclrtSynchronizeStream(stream);
  return 0;
}
