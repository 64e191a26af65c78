// SPDX-License-Identifier: Apache-2.0
// Delays in a queue: callouts that one thread finishes when their time has come.
#pragma once

#include "ferry/backend.h"

#include <chrono>
#include <map>

namespace ferry::layers::inject {

// The argument of such a callout. The entry of the list exists before the queue comes to it: a
// queue cannot report a lack of memory.
class Delay {
 public:
  using Entries = std::multimap<std::chrono::steady_clock::time_point, ferryx_callout*>;

  explicit Delay(std::chrono::microseconds time);
  static void start(void* argument, ferryx_callout* callout);

 private:
  const std::chrono::microseconds time_;
  Entries::node_type entry_;
};

}  // namespace ferry::layers::inject
