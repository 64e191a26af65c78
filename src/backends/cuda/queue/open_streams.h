// SPDX-License-Identifier: Apache-2.0
// The CUDA streams of a device that carry the program's work. The exit handler queries them.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads.
class OpenStreams {
 public:
  void add(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    streams_.push_back(stream);
  }
  // Must be called before the stream is destroyed.
  void remove(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    std::erase(streams_, stream);
  }
  // A stream that has failed counts as idle.
  bool are_idle() {
    const std::lock_guard lock(mutex_);
    return std::all_of(streams_.begin(), streams_.end(), [](cudaStream_t stream) {
      return cudaStreamQuery(stream) != cudaErrorNotReady;
    });
  }

 private:
  std::mutex mutex_;  // guards streams_
  std::vector<cudaStream_t> streams_;
};

}  // namespace ferry::cuda
