// SPDX-License-Identifier: Apache-2.0
// Makes a device current in the calling thread for the duration of a scope.
#pragma once

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// The program may use CUDA beside this backend, so the destructor restores the device that was
// current before. Not shared between threads.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    if (is_only_one) return;  // it is current in every thread anyway
    status_ = cudaGetDevice(&before_);
    if (status_ == cudaSuccess && before_ != device) {
      status_ = cudaSetDevice(device);
      is_changed_ = status_ == cudaSuccess;
    }
  }
  ~CurrentDevice() {
    if (is_changed_) cudaSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  cudaError_t status() const { return status_; }

  // Whether CUDA reports a single GPU. Set once, before the first CurrentDevice is made.
  static inline bool is_only_one = false;

 private:
  int before_ = 0;
  bool is_changed_ = false;
  cudaError_t status_ = cudaSuccess;
};

}  // namespace ferry::cuda
