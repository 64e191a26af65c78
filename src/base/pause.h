// SPDX-License-Identifier: Apache-2.0
// Polling that tells the processor that the thread only waits.
#pragma once

#include <mutex>

namespace ferry {

inline void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");  // `yield` does nothing on most cores
#endif
}

// Polls until `is_over` or a limit, some tens of microseconds on any processor: long enough for
// something imminent, short compared with a sleep and its wake-up. Returns whether it is over.
template <class Condition>
bool poll_for_a_while(Condition is_over) {
  constexpr int kPolls = 128;
  constexpr int kPausesBetweenPolls = 8;  // keeps polling from slowing down the polled thread
  for (int poll = 0; poll < kPolls; ++poll) {
    if (is_over()) return true;
    for (int i = 0; i < kPausesBetweenPolls; ++i)
      pause_processor();
  }
  return is_over();
}

// Locks a mutex that is only held briefly: polls before it sleeps, because a sleep costs two system
// calls, one of them on the thread that holds the lock.
inline std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  constexpr int kTries = 64;
  constexpr int kPausesBetweenTries = 4;
  std::unique_lock lock(mutex, std::try_to_lock);
  for (int i = 0; i < kTries && !lock.owns_lock(); ++i) {
    for (int k = 0; k < kPausesBetweenTries; ++k)
      pause_processor();
    if (lock.try_lock()) return lock;
  }
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

}  // namespace ferry
