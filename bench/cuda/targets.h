// SPDX-License-Identifier: Apache-2.0
// What a batch must reach on a GPU. The other targets stand with their questions. Nothing here
// measures.
#pragma once

#include "bench/cuda/lane.h"

#include <cstddef>

namespace ferry::bench::cuda {

/// Of the speed of one large copy, for 4096 scattered blocks or as many as make 256 MiB.
double least_share_of_limit(Direction direction, size_t block_bytes);

/// Against the better of CUDA's own ways. Below 1 is what a measurement may be off by: never
/// slower.
double least_gain(Direction direction, size_t count, size_t block_bytes);

/// Multiprocessors a copy kernel may take from the program's own kernels.
double most_multiprocessors(size_t block_bytes);

}  // namespace ferry::bench::cuda
