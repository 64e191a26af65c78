// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// One block of a batch that was just queued is evicted and filled for another request (LMCache-
// Ascend, vllm-ascend#15746).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 16;
constexpr size_t kBlockBytes = 2 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kBlockBytes);
  PinnedMemory host(kBlocks * kBlockBytes);
  Stream stream;
  Batch batch;
  for (size_t i = 0; i < kBlocks; ++i)
    batch.add(cache + (kBlocks - 1 - i) * kBlockBytes, host + i * kBlockBytes, kBlockBytes);
  need(batch.queue_to_device(stream));
  std::memset(host + 5 * kBlockBytes, 7, kBlockBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
