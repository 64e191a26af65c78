// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: a read is seen through guarded pages
// Blocks are saved by a batch, and their check sums are computed before the batch is done (LMCache-
// Ascend).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 8;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kPage);
  PinnedMemory saved(kBlocks * kPage);
  Stream stream;
  Batch batch;
  for (size_t i = 0; i < kBlocks; ++i)
    batch.add(saved + i * kPage, cache + (kBlocks - 1 - i) * kPage, kPage);
  need(batch.queue_to_host(stream));
  int sum = 0;
  for (size_t i = 0; i < kPage; ++i)
    sum += saved[3 * kPage + i];
  use(sum);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
