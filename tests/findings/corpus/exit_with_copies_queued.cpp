// SPDX-License-Identifier: Apache-2.0
// rule: unsynchronised-end
// main returns while copies are queued: whether they ever ran is unknown.
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
  return 0;
}
