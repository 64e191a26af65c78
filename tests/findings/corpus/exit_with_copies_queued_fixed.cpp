// SPDX-License-Identifier: Apache-2.0
// rule: none
// main returns when all copies are done and everything was released.
#include "corpus.h"

using namespace corpus;

int main() {
  need(aclInit(nullptr));
  need(aclrtSetDevice(0));
  void* block = nullptr;
  void* saved = nullptr;
  aclrtStream stream = nullptr;
  need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMallocHost(&saved, kPage));
  need(aclrtCreateStream(&stream));
  need(aclrtMemset(block, kPage, 1, kPage));
  need(aclrtMemcpyAsync(saved, kPage, block, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtDestroyStream(stream));
  need(aclrtFreeHost(saved));
  need(aclrtFree(block));
  need(aclrtResetDevice(0));
  need(aclFinalize());
  return 0;
}
