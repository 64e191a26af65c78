// SPDX-License-Identifier: Apache-2.0
// Counters of threads inside a section. Threads mostly use different cache lines, so that they do
// not slow each other down.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

// May be shared between threads.
class ThreadSlots {
 public:
  static constexpr size_t kCacheLine = 64;
  struct alignas(kCacheLine) Slot {
    std::atomic<uint32_t> inside{0};
  };

  // The slot of the calling thread: always the same one, possibly shared with other threads.
  Slot& mine() {
    // pthread_self() is an address; its upper bits differ between threads.
    constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;
    constexpr int kShift = 64 - 5;
    static_assert(kSlots == size_t{1} << (64 - kShift));
    return slots_[(static_cast<uint64_t>(pthread_self()) >> 6) * kSpread >> kShift];
  }
  auto begin() const { return slots_.begin(); }
  auto end() const { return slots_.end(); }

 private:
  static constexpr size_t kSlots = 32;
  std::array<Slot, kSlots> slots_;
};

}  // namespace ferry::cuda
