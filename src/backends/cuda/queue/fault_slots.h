// SPDX-License-Identifier: Apache-2.0
// Slots in pinned memory in which kernels report addresses that are not live. They are allocated
// many at a time and never freed.
#pragma once

#include "backends/cuda/queue/fault.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads; never destroyed once a slot was taken.
class FaultSlots {
 public:
  // A cleared slot.
  cudaError_t take(FaultSlot*& slot) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      void* made = nullptr;
      const cudaError_t error = cudaHostAlloc(&made, kSlotsAtATime * sizeof(FaultSlot),
                                              cudaHostAllocPortable | cudaHostAllocMapped);
      if (error != cudaSuccess) return error;
      for (size_t i = 0; i < kSlotsAtATime; ++i)
        free_.push_back(static_cast<FaultSlot*>(made) + i);
    }
    slot = free_.back();
    free_.pop_back();
    *slot = FaultSlot{};
    return cudaSuccess;
  }
  // Work on a device must not be able to write the slot any more.
  void give_back(FaultSlot* slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }

 private:
  static constexpr size_t kSlotsAtATime = 128;
  std::mutex mutex_;  // guards free_
  std::vector<FaultSlot*> free_;
};

}  // namespace ferry::cuda
