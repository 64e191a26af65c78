// SPDX-License-Identifier: Apache-2.0
// What a soak shows while it runs.
#pragma once

#include "soak/growth.h"

#include <chrono>
#include <string>

namespace ferry::tools::soak {

constexpr const char* kSoakName = "ferry soak";

/// "5:07", in minutes and seconds.
std::string time_text(std::chrono::seconds time);

/// On a terminal one line that is overwritten. Elsewhere a line from time to time, so that a log
/// shows where a run was when it ended.
class Progress {
 public:
  Progress(std::string name, std::chrono::milliseconds length);
  void show(const Sample& sample);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string name_;
  const std::chrono::milliseconds length_;
  const std::chrono::milliseconds interval_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

/// Removes the line from the terminal.
void clear_progress();

}  // namespace ferry::tools::soak
