// SPDX-License-Identifier: Apache-2.0
// Slots in pinned memory in which kernels report addresses that are not live.
#pragma once

#include "backends/cuda/queue/fault.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads; never destroyed once a slot was taken.
class FaultSlots {
 public:
  // A cleared slot.
  cudaError_t take(FaultSlot*& slot);
  // Work on a device must not be able to write the slot any more.
  void give_back(FaultSlot* slot);

 private:
  std::mutex mutex_;  // guards free_
  std::vector<FaultSlot*> free_;
};

}  // namespace ferry::cuda
