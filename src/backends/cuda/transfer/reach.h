// SPDX-License-Identifier: Apache-2.0
// What CUDA knows about an address: in which allocation it lies, and whether kernels of a device
// may touch it.
#pragma once

#include "backends/cuda/transfer/coalesce.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ferry::cuda {

// Fixed facts of a device that decide what its kernels may touch. May be shared between threads.
class DeviceReach {
 public:
  cudaError_t open(int device);

  // With one GPU that can use host pointers as they are, all that CUDA knows is in reach.
  Judge judge() const { return judge_; }
  bool reaches_host() const { return reaches_host_; }

  // The allocation that holds `address`. Memory of other devices is out of reach, although peer
  // access may have been given: it can be taken away while work is queued.
  Extent find(uint64_t address) const;
  // Whether kernels may touch both of two allocations.
  Reach of(const void* dst, const void* src) const;

 private:
  int device_ = 0;
  Judge judge_ = Judge::kNothing;
  bool reaches_host_ = false;
  void* get_attributes_ = nullptr;  // cuPointerGetAttributes of the driver
};

// For KnownExtents: `context` is a DeviceReach.
Extent find_extent(void* context, uint64_t address);

enum class HostKind { kPinned, kPageable };
HostKind kind_of_host(const void* address);

}  // namespace ferry::cuda
