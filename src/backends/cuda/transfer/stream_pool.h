// SPDX-License-Identifier: Apache-2.0
// A pool of CUDA streams for work that a caller waits for.
#pragma once

#include "backends/cuda/plugin/cuda_call.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace ferry::cuda {

// One per device, never destroyed. May be shared between threads.
class StreamPool {
 public:
  // Calls queue(stream) with a stream that no other thread uses meanwhile, and waits for its work.
  template <class Queue>
  cudaError_t run(Queue queue) {
    cudaStream_t stream = nullptr;
    if (const cudaError_t error = take(stream); error != cudaSuccess) return error;
    const cudaError_t error = queue(stream);
    // Also after a failure: some of the work may be queued.
    const cudaError_t ended = insist([&] { return cudaStreamSynchronize(stream); });
    give_back(stream);
    return error != cudaSuccess ? error : ended;
  }

 private:
  cudaError_t take(cudaStream_t& stream) {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        stream = free_.back();
        free_.pop_back();
        return cudaSuccess;
      }
    }
    return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  void give_back(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    free_.push_back(stream);
  }

  std::mutex mutex_;  // guards free_
  std::vector<cudaStream_t> free_;
};

}  // namespace ferry::cuda
