// SPDX-License-Identifier: Apache-2.0
// Replaces cuda_lane.cpp in builds without the CUDA toolkit.
#include "bench/raw/cuda_lane.h"

#include <stdexcept>

namespace ferry::bench::cuda {

std::unique_ptr<CudaLane> open_cuda_lane(const void* /*neighbour*/, size_t /*bytes*/) {
  throw std::runtime_error(
      "these benchmarks were built without CUDA's toolkit (12.8 or later), so there is nothing to "
      "measure a GPU against");
}

}  // namespace ferry::bench::cuda
