// SPDX-License-Identifier: Apache-2.0
// The time limit of a call that waits, as the program gave it.
#pragma once

#include "ferry/backend.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ferry {

// Starts when it is made. A call that waits for several things passes the same limit to each.
class WaitLimit {
 public:
  using Clock = std::chrono::steady_clock;

  static WaitLimit none() { return WaitLimit(-1); }
  // Negative: no limit.
  explicit WaitLimit(int32_t milliseconds)
      : milliseconds_(milliseconds),
        deadline_(milliseconds < 0 ? Clock::time_point::max()
                                   : Clock::now() + std::chrono::milliseconds(milliseconds)) {}

  // The program's own number, for texts.
  int32_t milliseconds() const { return milliseconds_; }
  Clock::time_point deadline() const { return deadline_; }

  // What is left, for the backend interface.
  int64_t nanoseconds_left() const {
    if (milliseconds_ < 0) return FERRYX_FOREVER;
    return std::max<int64_t>(std::chrono::nanoseconds(deadline_ - Clock::now()).count(), 0);
  }

 private:
  int32_t milliseconds_;
  Clock::time_point deadline_;
};

}  // namespace ferry
