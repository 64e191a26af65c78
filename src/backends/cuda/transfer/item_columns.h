// SPDX-License-Identifier: Apache-2.0
// The layout of lists of copies in memory. Kernels read it, too: C++17, and no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

// A list as three arrays: cudaMemcpyBatchAsync takes them as they are, and the lanes of a warp read
// neighbouring words.
struct ItemColumns {
  uint64_t* dst = nullptr;
  uint64_t* src = nullptr;
  uint64_t* size = nullptr;

  ItemColumns from(size_t index) const { return {dst + index, src + index, size + index}; }
};

// One side of a list of pairs: items are at multiples of a granule, a power of two, in one
// allocation.
struct PairSide {
  uint64_t base = 0;
  uint32_t shift = 0;  // the granule is 1 << shift bytes
};

// A list of items of one size, one word each: the offset of the destination in granules in the
// lower half, that of the source in the upper half. A third of ItemColumns to write, and to read
// over the bus.
struct ItemPairs {
  uint64_t* words = nullptr;
  PairSide dst;
  PairSide src;
  uint64_t size = 0;  // of every item

  ItemPairs from(size_t index) const { return {words + index, dst, src, size}; }
};

}  // namespace ferry::cuda
