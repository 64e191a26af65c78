// SPDX-License-Identifier: Apache-2.0
// CUDA's own side of a race, without Ferry: the baselines. Built where CUDA's toolkit is
// (cuda_lane.cpp); elsewhere opening it says what is missing (cuda_missing.cpp).
#pragma once

#include "bench/cuda/lane.h"

#include <memory>
#include <string>

namespace ferry::bench::cuda {

/// Used by one thread.
class CudaLane : public Lane {
 public:
  using Lane::Lane;

  virtual std::string device_text() const = 0;  // "NVIDIA H200, 132 multiprocessors, CUDA 13.0"
  virtual size_t cache_bytes() const = 0;       // of the last cache of the GPU
  virtual std::byte* scratch() const = 0;       // more pinned memory, `bytes` of it

  /// Queues zeros for any device memory of the process.
  virtual void clear(std::byte* at, size_t bytes) = 0;
};

/// A lane on the GPU that holds `neighbour`, an address in device memory, with memory and a stream
/// of its own. Throws std::runtime_error when there is none.
std::unique_ptr<CudaLane> open_cuda_lane(const void* neighbour, size_t bytes);

}  // namespace ferry::bench::cuda
