// SPDX-License-Identifier: Apache-2.0
// rule: blocking-async
// An asynchronous batch of a thousand malloc blocks: the call drains the stream and copies
// everything itself (SGLang#38826, LMCache-Ascend#91).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 1000;
constexpr size_t kBlockBytes = 512;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kBlockBytes);
  std::vector<char> host(kBlocks * kBlockBytes);
  char* blocks = host.data();
  Stream stream;
  Batch batch;
  for (size_t i = 0; i < kBlocks; ++i)
    batch.add(cache + i * kBlockBytes, blocks + (kBlocks - 1 - i) * kBlockBytes, kBlockBytes);
  need(batch.queue_to_device(stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
