// SPDX-License-Identifier: Apache-2.0
// Slots are taken in order, so the next one is the one most likely to be free.
#include "backends/cuda/pinned_ring.h"

#include <thread>

namespace ferry::cuda {

cudaError_t PinnedRing::take(Buffer& buffer) {
  std::unique_lock lock(mutex_);
  for (;;) {
    bool found = false;
    size_t index = 0;
    if (const cudaError_t error = find_free(found, index); error != cudaSuccess) return error;
    if (!found && slots_.size() < most_) {
      if (const cudaError_t error = add(); error != cudaSuccess) return error;
      index = slots_.size() - 1;
      found = true;
    }
    if (found) {
      slots_[index].use = Use::kTaken;
      next_ = (index + 1) % slots_.size();
      buffer = {slots_[index].memory, index};
      return cudaSuccess;
    }
    if (const cudaError_t error = wait_for_oldest(lock); error != cudaSuccess) return error;
  }
}

cudaError_t PinnedRing::find_free(bool& found, size_t& index) {
  for (size_t i = 0; i < slots_.size() && !found; ++i) {
    index = (next_ + i) % slots_.size();
    Slot& slot = slots_[index];
    if (slot.use == Use::kQueued) {
      const cudaError_t state = cudaEventQuery(slot.done);
      if (state == cudaSuccess) slot.use = Use::kFree;
      if (state != cudaSuccess && state != cudaErrorNotReady) return state;
    }
    found = slot.use == Use::kFree;
  }
  return cudaSuccess;
}

cudaError_t PinnedRing::add() {
  Slot slot;
  cudaError_t error =
      cudaHostAlloc(&slot.memory, bytes_, cudaHostAllocPortable | cudaHostAllocMapped | kind_);
  if (error != cudaSuccess) return error;
  error = cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming);
  if (error != cudaSuccess) {
    cudaFreeHost(slot.memory);
    return error;
  }
  slots_.push_back(slot);
  return cudaSuccess;
}

cudaError_t PinnedRing::wait_for_oldest(std::unique_lock<std::mutex>& lock) {
  const Slot slot = slots_[next_];
  next_ = (next_ + 1) % slots_.size();
  lock.unlock();
  // A slot that is being filled is queued soon, without waiting for anybody.
  cudaError_t error = cudaSuccess;
  if (slot.use == Use::kQueued) {
    error = cudaEventSynchronize(slot.done);
  } else {
    std::this_thread::yield();
  }
  lock.lock();
  return error;
}

cudaError_t PinnedRing::give_back_after(const Buffer& buffer, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[buffer.index];
  const cudaError_t error = cudaEventRecord(slot.done, stream);
  slot.use = error == cudaSuccess ? Use::kQueued : Use::kFree;
  return error;
}

void PinnedRing::give_back(const Buffer& buffer) {
  const std::lock_guard lock(mutex_);
  slots_[buffer.index].use = Use::kFree;
}

}  // namespace ferry::cuda
