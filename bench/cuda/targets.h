// SPDX-License-Identifier: Apache-2.0
// Targets for batches on a GPU. The other targets are next to their questions. Nothing here
// measures.
#pragma once

#include "bench/cuda/lane.h"

#include <cstddef>

namespace ferry::bench::cuda {

/// As a share of the speed of one large copy, for 4096 scattered blocks or as many as make 256 MiB.
double least_share_of_limit(Direction direction, size_t block_bytes);

/// Relative to the faster of CUDA's own ways. A value just below 1 means "never slower", less the
/// measurement error.
double least_gain(Direction direction, size_t count, size_t block_bytes);

/// Multiprocessors a copy kernel may take from the program's own kernels.
double most_multiprocessors(size_t block_bytes);

}  // namespace ferry::bench::cuda
