// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// Two mistakes in one call, which is refused and has one finding: the block was evicted and freed,
// and the buffer on the host is half its size.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  void* block = nullptr;
  need(aclrtMalloc(&block, 2 * kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemset(block, 2 * kPage, 1, 2 * kPage));
  need(aclrtFree(block));
  aclrtMemcpy(saved, 2 * kPage, block, 2 * kPage, ACL_MEMCPY_DEVICE_TO_HOST);
  return 0;
}
