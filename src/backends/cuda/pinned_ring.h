// SPDX-License-Identifier: Apache-2.0
// Pinned buffers of one size that go round: filled by the host, read by queued work, and used again
// when that work is done.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// One of many, never destroyed. May be shared between threads.
class PinnedRing {
 public:
  // Buffers are allocated when none is free, up to `most`; then taking one waits. `kind` is a kind
  // of memory of cudaHostAlloc.
  PinnedRing(size_t bytes, size_t most, unsigned kind = cudaHostAllocDefault)
      : bytes_(bytes), most_(most), kind_(kind) {}

  struct Buffer {
    void* memory = nullptr;  // the address is the same for the host and for kernels
    size_t index = 0;
  };
  cudaError_t take(Buffer& buffer);
  // Free again when all work queued on `stream` until now is done.
  cudaError_t give_back_after(const Buffer& buffer, cudaStream_t stream);
  // Free again now: no queued work reads it.
  void give_back(const Buffer& buffer);

 private:
  enum class Use { kFree, kTaken, kQueued };
  struct Slot {
    void* memory = nullptr;
    cudaEvent_t done = nullptr;  // behind the work that reads it, when kQueued
    Use use = Use::kFree;
  };

  cudaError_t find_free(bool& found, size_t& index);
  cudaError_t add();
  cudaError_t wait_for_oldest(std::unique_lock<std::mutex>& lock);

  const size_t bytes_;
  const size_t most_;
  const unsigned kind_;
  std::mutex mutex_;  // guards all below
  std::vector<Slot> slots_;
  size_t next_ = 0;  // the slot that has been in use for longest
};

}  // namespace ferry::cuda
