// SPDX-License-Identifier: Apache-2.0
// Layouts of scattered blocks. Nothing here copies.
#pragma once

#include "bench/transfer.h"

#include <cstddef>
#include <vector>

namespace ferry::bench::cuda {

/// `sets` layouts of `count` blocks each, at random places of one pool and in random order. No two
/// blocks overlap, across all sets, so the pool must have room for all.
std::vector<Layout> scattered_sets(size_t sets, size_t count, size_t block_bytes,
                                   size_t pool_bytes);

/// The pool size for batches of `moved_bytes`: several times the GPU's cache, with room to scatter;
/// at most `most_bytes`.
size_t pool_bytes_for(size_t moved_bytes, size_t cache_bytes, size_t most_bytes);

}  // namespace ferry::bench::cuda
