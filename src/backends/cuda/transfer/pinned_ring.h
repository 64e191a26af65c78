// SPDX-License-Identifier: Apache-2.0
// Ring of pinned buffers of one size: filled by the host, read by queued work, and reused when that
// work is done.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// Never destroyed. May be shared between threads.
class PinnedRing {
 public:
  // At most `most` buffers, each allocated when none is free. When there are `most` and all are in
  // use, take() waits.
  PinnedRing(size_t bytes, size_t most) : bytes_(bytes), most_(most) {}

  struct Buffer {
    void* memory = nullptr;  // the address is the same for the host and for kernels
    size_t index = 0;
  };
  cudaError_t take(Buffer& buffer);
  // The buffer is free again when all work queued on `stream` so far is done.
  cudaError_t give_back_after(const Buffer& buffer, cudaStream_t stream);
  // The buffer is free again now: no queued work reads it.
  void give_back(const Buffer& buffer);

 private:
  enum class Use { kFree, kTaken, kQueued };
  struct Slot {
    void* memory = nullptr;
    cudaEvent_t done = nullptr;  // recorded after the work that reads it, when kQueued
    cudaStream_t stream = nullptr;
    uint64_t turn = 0;  // grows with each give_back_after()
    Use use = Use::kFree;
  };

  bool find_free(size_t& index) const;
  cudaError_t free_what_is_done();
  cudaError_t free_behind(const Slot& slot, bool& is_done);
  cudaError_t add();
  cudaError_t wait_for_oldest(std::unique_lock<std::mutex>& lock);

  const size_t bytes_;
  const size_t most_;
  std::mutex mutex_;  // guards all below
  std::vector<Slot> slots_;
  size_t next_ = 0;    // the slot that has been in use for longest
  size_t latest_ = 0;  // the slot that was queued last
  uint64_t turns_ = 0;
};

}  // namespace ferry::cuda
