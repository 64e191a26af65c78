// SPDX-License-Identifier: Apache-2.0
// rule: none
// A temporary block of device memory is freed when the copy out of it is done.
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
  need(aclrtSynchronizeStream(stream));
  need(aclrtFree(block));
  aclrtSynchronizeStream(stream);
  return 0;
}
