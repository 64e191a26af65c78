// SPDX-License-Identifier: Apache-2.0
// A pool of CUDA events with timing: creating an event takes longer than recording it.
#pragma once

#include "backends/cuda/plugin/current_device.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads; never destroyed once an event was taken.
class EventPool {
 public:
  explicit EventPool(int device) : device_(device) {}

  cudaError_t take(cudaEvent_t& event) {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        event = free_.back();
        free_.pop_back();
        return cudaSuccess;
      }
    }
    const CurrentDevice current(device_);
    return cudaEventCreate(&event);
  }
  // The event need not have completed: recording it again does not disturb its waiters.
  void give_back(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    free_.push_back(event);
  }

 private:
  const int device_;
  std::mutex mutex_;  // guards free_
  std::vector<cudaEvent_t> free_;
};

}  // namespace ferry::cuda
