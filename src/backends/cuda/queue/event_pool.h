// SPDX-License-Identifier: Apache-2.0
// CUDA events with timing, used again and again: making one takes longer than recording it.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads; never destroyed once it gave something out.
class EventPool {
 public:
  explicit EventPool(int device) : device_(device) {}

  cudaError_t take(cudaEvent_t& event);
  // Also of an event that is not passed yet: recording it anew does not disturb who waits for it.
  void give_back(cudaEvent_t event);

 private:
  const int device_;
  std::mutex mutex_;  // guards free_
  std::vector<cudaEvent_t> free_;
};

}  // namespace ferry::cuda
