// SPDX-License-Identifier: Apache-2.0
// The pool of events.
#include "backends/cuda/queue/event_pool.h"

#include "backends/cuda/plugin/current_device.h"

namespace ferry::cuda {

cudaError_t EventPool::take(cudaEvent_t& event) {
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

void EventPool::give_back(cudaEvent_t event) {
  const std::lock_guard lock(mutex_);
  free_.push_back(event);
}

}  // namespace ferry::cuda
