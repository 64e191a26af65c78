// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A temporary block of device memory is freed while the copy out of it is queued (vllm-
// ascend#11678).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  PinnedMemory result(kBytes);
  Stream stream;
  void* block = nullptr;
  need(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemset(block, kBytes, 1, kBytes));
  need(aclrtMemcpyAsync(result, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtFree(block));
  aclrtSynchronizeStream(stream);
  return 0;
}
