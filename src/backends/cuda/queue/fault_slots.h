// SPDX-License-Identifier: Apache-2.0
// Words in pinned memory in which kernels say that an address was not live.
#pragma once

#include "backends/cuda/queue/fault.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads; never destroyed once it gave something out.
class FaultSlots {
 public:
  // A cleared slot.
  cudaError_t take(FaultSlot*& slot);
  // No work on a device may write it any more.
  void give_back(FaultSlot* slot);

 private:
  std::mutex mutex_;  // guards free_
  std::vector<FaultSlot*> free_;
};

}  // namespace ferry::cuda
