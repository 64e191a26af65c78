// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// places: 3
// Memory that a captured copy reads is freed while a run is queued.
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
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(result, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  });
  need(aclmdlRIExecuteAsync(model, stream));
  need(aclrtFree(block));
  aclrtSynchronizeStream(stream);
  return 0;
}
