// SPDX-License-Identifier: Apache-2.0
// A lock that many share all the time and one has for itself now and then. Sharing it costs two
// instructions on a cache line that is mostly the thread's own.
#pragma once

#include "backends/cuda/plugin/thread_slots.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace ferry::cuda {

// For std::shared_lock and std::unique_lock. Given back by the thread that took it; not shared
// twice by one thread.
//
// Lock-free invariant: who shares it counts itself before it looks for a writer, a writer makes
// itself known before it looks at the counts, all in one order (seq_cst): one of them sees the
// other. Who leaves does the same, so that a writer that waits for a count is told.
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
  std::mutex writers_;  // held by the one who has the lock for itself
};

}  // namespace ferry::cuda
