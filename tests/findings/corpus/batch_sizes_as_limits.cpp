// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// The sizes are passed as destMaxs, so the limits are meaningless; the last block is longer than
// the rest of the pool (Mooncake#963).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 8;

}  // namespace

int main() {
  Device device;
  DeviceMemory pool(kBlocks * kPage);
  PinnedMemory host((kBlocks + 1) * kPage);
  Batch batch;
  for (size_t i = 0; i + 1 < kBlocks; ++i)
    batch.add(pool + i * kPage, host + i * kPage, kPage);
  batch.add(pool + (kBlocks - 1) * kPage, host + (kBlocks - 1) * kPage, 2 * kPage);
  batch.copy_to_device();
  return 0;
}
