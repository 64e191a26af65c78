// SPDX-License-Identifier: Apache-2.0
// CUDA's side of a race, without Ferry: the baselines. Built where the CUDA toolkit is found
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
  virtual size_t cache_bytes() const = 0;       // size of the GPU's last-level cache
  virtual std::byte* scratch() const = 0;       // more pinned memory, `bytes` long

  /// Enqueues zeroing of any device memory of the process.
  virtual void clear(std::byte* at, size_t bytes) = 0;
};

/// A lane with its own memory and stream, on the GPU that holds `neighbour`, an address in device
/// memory. Throws std::runtime_error when there is none.
std::unique_ptr<CudaLane> open_cuda_lane(const void* neighbour, size_t bytes);

}  // namespace ferry::bench::cuda
