// SPDX-License-Identifier: Apache-2.0
// A reader-writer lock for frequent readers and rare writers. A reader pays for two atomic
// instructions on a cache line that is mostly its own.
#pragma once

#include "backends/cuda/plugin/thread_slots.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace ferry::cuda {

// For std::shared_lock and std::unique_lock. The thread that takes it must release it, and must not
// take it shared twice.
//
// Lock-free invariant: a reader increments its count before it reads has_writer_; a writer sets
// has_writer_ before it reads the counts. All of these are seq_cst, so at least one of the two sees
// the other. The same holds for a reader that leaves, so a writer that waits for a count is woken.
class ReaderLock {
 public:
  void lock_shared() {
    std::atomic<uint32_t>& inside = slots_.mine().inside;
    inside.fetch_add(1);
    while (has_writer_.load()) {
      unlock_shared();
      const std::lock_guard wait_for_writer(writers_);
      inside.fetch_add(1);
    }
  }
  void unlock_shared() {
    std::atomic<uint32_t>& inside = slots_.mine().inside;
    inside.fetch_sub(1);
    if (has_writer_.load()) inside.notify_all();
  }

  void lock() {
    writers_.lock();
    has_writer_.store(true);
    for (const ThreadSlots::Slot& slot : slots_) {
      for (uint32_t count = slot.inside.load(); count != 0; count = slot.inside.load())
        slot.inside.wait(count);
    }
  }
  void unlock() {
    has_writer_.store(false);
    writers_.unlock();
  }

 private:
  ThreadSlots slots_;
  std::atomic<bool> has_writer_{false};
  std::mutex writers_;  // held by the writer
};

}  // namespace ferry::cuda
