// SPDX-License-Identifier: Apache-2.0
// What CUDA knows about an address: its allocation, and whether kernels of a device may access it.
#pragma once

#include "backends/cuda/transfer/coalesce.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ferry::cuda {

// Fixed properties of a device that decide what its kernels may access. May be shared between
// threads.
class DeviceReach {
 public:
  cudaError_t open(int device);

  // With a single GPU that can use host pointers as they are, kernels can access all memory that
  // CUDA knows.
  Judge judge() const { return judge_; }
  bool reaches_host() const { return reaches_host_; }

  // The allocation that holds `address`. Memory of other devices counts as not accessible even with
  // peer access, which can be disabled while work is queued.
  Extent find(uint64_t address) const;
  // Whether kernels may access the allocations of both addresses.
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
