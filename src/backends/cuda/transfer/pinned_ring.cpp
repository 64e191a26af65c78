// SPDX-License-Identifier: Apache-2.0
// Slots are taken in order, so the next one is the most likely to be free. Querying a CUDA event
// takes longer than everything else here: events are queried only when no slot is known to be free,
// and one answer frees as many slots as it can.
#include "backends/cuda/transfer/pinned_ring.h"

#include "backends/cuda/plugin/cuda_call.h"

#include <thread>

namespace ferry::cuda {

cudaError_t PinnedRing::take(Buffer& buffer) {
  std::unique_lock lock(mutex_);
  for (;;) {
    size_t index = 0;
    bool found = find_free(index);
    if (!found) {
      if (const cudaError_t error = free_what_is_done(); error != cudaSuccess) return error;
      found = find_free(index);
    }
    if (!found && slots_.size() < most_) {
      index = slots_.size();
      if (const cudaError_t error = add(); error != cudaSuccess) return error;
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

bool PinnedRing::find_free(size_t& index) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    index = (next_ + i) % slots_.size();
    if (slots_[index].use == Use::kFree) return true;
  }
  return false;
}

// Queries the latest slot first: mostly its work is done, and so is everything before it on its
// stream.
cudaError_t PinnedRing::free_what_is_done() {
  if (slots_.empty()) return cudaSuccess;
  bool is_done = false;
  cudaError_t error = free_behind(slots_[latest_], is_done);
  for (size_t i = 0; i < slots_.size() && !is_done && error == cudaSuccess; ++i)
    error = free_behind(slots_[(next_ + i) % slots_.size()], is_done);
  return error;
}

// Frees the slot if its work is done, and with it all slots whose work was queued earlier on the
// same stream. A new stream may reuse the handle of a destroyed one; the work of that one was done.
cudaError_t PinnedRing::free_behind(const Slot& slot, bool& is_done) {
  if (slot.use != Use::kQueued) return cudaSuccess;
  const cudaError_t state = cudaEventQuery(slot.done);
  if (state == cudaErrorNotReady) return cudaSuccess;
  if (state != cudaSuccess) return state;
  is_done = true;
  const cudaStream_t stream = slot.stream;
  const uint64_t turn = slot.turn;
  for (Slot& other : slots_) {
    const bool is_before = other.stream == stream && other.turn <= turn;
    if (other.use == Use::kQueued && is_before) other.use = Use::kFree;
  }
  return cudaSuccess;
}

cudaError_t PinnedRing::add() {
  Slot slot;
  cudaError_t error =
      cudaHostAlloc(&slot.memory, bytes_, cudaHostAllocPortable | cudaHostAllocMapped);
  if (error != cudaSuccess) return error;
  error = cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming);
  if (error == cudaSuccess) {
    slots_.push_back(slot);
  } else {
    cudaFreeHost(slot.memory);
  }
  return error;
}

cudaError_t PinnedRing::wait_for_oldest(std::unique_lock<std::mutex>& lock) {
  const Slot slot = slots_[next_];
  next_ = (next_ + 1) % slots_.size();
  lock.unlock();
  // A slot that is being filled will be queued soon: the thread that fills it waits for nothing.
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
  // Without the event only an idle stream shows that the work no longer reads the buffer.
  if (error != cudaSuccess) insist([&] { return cudaStreamSynchronize(stream); });
  slot.use = error == cudaSuccess ? Use::kQueued : Use::kFree;
  slot.stream = stream;
  slot.turn = ++turns_;
  latest_ = buffer.index;
  return error;
}

void PinnedRing::give_back(const Buffer& buffer) {
  const std::lock_guard lock(mutex_);
  slots_[buffer.index].use = Use::kFree;
}

}  // namespace ferry::cuda
