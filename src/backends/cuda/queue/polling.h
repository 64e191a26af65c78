// SPDX-License-Identifier: Apache-2.0
// Polling with back-off, for conditions that notify nobody, such as CUDA events with a time limit.
#pragma once

#include "backends/cuda/plugin/services.h"
#include "base/pause.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ferry::cuda {

// The back-off between two polls: short at first, for what is about to complete, then doubling up
// to a limit, so that waiting for long work takes next to no processor time.
class Patience {
 public:
  std::chrono::microseconds next() {
    const std::chrono::microseconds rest = rest_;
    rest_ = std::min(rest_ * 2, kLongest);
    return rest;
  }
  void reset() { rest_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{10};
  static constexpr std::chrono::microseconds kLongest{200};
  std::chrono::microseconds rest_ = kShortest;
};

// Polls until `is_over` returns true or the deadline has passed. Returns the result of `is_over`.
template <class Condition>
bool poll_until(Clock::time_point deadline, Condition is_over) {
  if (poll_for_a_while([&] { return is_over() || Clock::now() >= deadline; })) return is_over();
  // Never notified: only the time limit of the wait is used.
  std::mutex mutex;
  std::condition_variable rest;
  std::unique_lock lock(mutex);
  for (Patience patience; !is_over();) {
    const Clock::time_point now = Clock::now();
    if (now >= deadline) return false;
    rest.wait_until(lock, std::min<Clock::time_point>(deadline, now + patience.next()));
  }
  return true;
}

}  // namespace ferry::cuda
