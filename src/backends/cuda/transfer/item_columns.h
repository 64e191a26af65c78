// SPDX-License-Identifier: Apache-2.0
// The form in which lists of copies lie in memory. Kernels read it, too: C++17, and no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

// A list in three columns: cudaMemcpyBatchAsync takes them as they are, and the lanes of a warp
// read neighbouring words.
struct ItemColumns {
  uint64_t* dst = nullptr;
  uint64_t* src = nullptr;
  uint64_t* size = nullptr;

  ItemColumns from(size_t index) const { return {dst + index, src + index, size + index}; }
};

// Where the items of one side of a list of pairs lie: at multiples of a unit, a power of two, in
// one allocation.
struct PairSide {
  uint64_t base = 0;
  uint32_t shift = 0;  // the unit is 1 << shift bytes
};

// A list of items of one size in one word each: the destination in units in the lower half, the
// source in the upper one. A third of the columns to write, and to read over the bus.
struct ItemPairs {
  uint64_t* words = nullptr;
  PairSide dst;
  PairSide src;
  uint64_t size = 0;  // of every item

  ItemPairs from(size_t index) const { return {words + index, dst, src, size}; }
};

}  // namespace ferry::cuda
