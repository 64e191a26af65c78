// SPDX-License-Identifier: Apache-2.0
// rule: none
// An asynchronous batch of a thousand pinned blocks: the call only queues.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 1000;
constexpr size_t kBlockBytes = 512;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kBlockBytes);
  PinnedMemory host(kBlocks * kBlockBytes);
  char* blocks = host;
  Stream stream;
  Batch batch;
  for (size_t i = 0; i < kBlocks; ++i)
    batch.add(cache + i * kBlockBytes, blocks + (kBlocks - 1 - i) * kBlockBytes, kBlockBytes);
  need(batch.queue_to_device(stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
