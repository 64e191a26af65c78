// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block is saved to a buffer of its size, and then freed.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(2 * kPage);
  void* block = nullptr;
  need(aclrtMalloc(&block, 2 * kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemset(block, 2 * kPage, 1, 2 * kPage));
  aclrtMemcpy(saved, 2 * kPage, block, 2 * kPage, ACL_MEMCPY_DEVICE_TO_HOST);
  need(aclrtFree(block));
  return 0;
}
