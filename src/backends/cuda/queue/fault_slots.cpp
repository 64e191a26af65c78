// SPDX-License-Identifier: Apache-2.0
// Slots are allocated many at a time and never freed.
#include "backends/cuda/queue/fault_slots.h"

namespace ferry::cuda {
namespace {

constexpr size_t kSlotsAtATime = 128;

}  // namespace

cudaError_t FaultSlots::take(FaultSlot*& slot) {
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

void FaultSlots::give_back(FaultSlot* slot) {
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

}  // namespace ferry::cuda
