// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block is filled for another request after the batch that reads it is done.
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
  need(aclrtSynchronizeStream(stream));
  std::memset(host + 5 * kBlockBytes, 7, kBlockBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
