// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block is saved, and then freed.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Stream stream;
  void* block = nullptr;
  need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemset(block, kPage, 1, kPage));
  aclrtMemcpyAsync(saved, kPage, block, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream);
  aclrtSynchronizeStream(stream);
  need(aclrtFree(block));
  return 0;
}
