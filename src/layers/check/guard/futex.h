// SPDX-License-Identifier: Apache-2.0
// Sleeping until a word of memory changes, usable in a signal handler: one system call, no lock, no
// allocation.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ferry::layers::check {

using Nanoseconds = std::chrono::nanoseconds;

// Async-signal-safe.
inline Nanoseconds monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

// Returns when the word is no longer `value`, on a wake-up, after `most`, or spuriously: callers
// check again.
inline void sleep_while(std::atomic<uint32_t>& word, uint32_t value, Nanoseconds most) {
  if (most.count() <= 0) return;
  const timespec timeout{.tv_sec = static_cast<time_t>(most.count() / 1'000'000'000),
                         .tv_nsec = static_cast<long>(most.count() % 1'000'000'000)};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, &timeout,
          nullptr, 0);
}

inline void wake_all(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr,
          nullptr, 0);
}

}  // namespace ferry::layers::check
