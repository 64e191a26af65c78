// SPDX-License-Identifier: Apache-2.0
// The table of targets; docs/cuda.md shows it to readers.
#include "bench/cuda/targets.h"

namespace ferry::bench::cuda {
namespace {

constexpr size_t kKiB = 1024;

// Applies from this block size up to the next entry's.
struct Share {
  size_t block_bytes;
  double in;
  double out;
};
constexpr Share kShares[] = {
    {0, 0.60, 0.63},         {2 * kKiB, 0.82, 0.84},    {4 * kKiB, 0.87, 0.89},
    {16 * kKiB, 0.90, 0.92}, {kKiB * kKiB, 0.96, 0.96},
};

}  // namespace

double least_share_of_limit(Direction direction, size_t block_bytes) {
  double least = 0;
  for (const Share& share : kShares) {
    if (block_bytes >= share.block_bytes)
      least = direction == Direction::kIn ? share.in : share.out;
  }
  return least;
}

double least_gain(Direction direction, size_t count, size_t block_bytes) {
  constexpr double kNeverSlower = 0.97;
  constexpr size_t kManyBlocks = 4096;
  if (count < kManyBlocks || block_bytes > 16 * kKiB) return kNeverSlower;
  return block_bytes <= 4 * kKiB || direction == Direction::kIn ? 5 : 2;
}

double most_multiprocessors(size_t block_bytes) {
  return block_bytes >= 2 * kKiB ? 16 : 32;
}

}  // namespace ferry::bench::cuda
