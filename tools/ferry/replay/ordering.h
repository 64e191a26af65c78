// SPDX-License-Identifier: Apache-2.0
// Which steps must be submitted before which, across the threads of the program, and which event
// objects a run needs.
#pragma once

#include "replay/plan.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ferry::tools::replay {

/// Learns the steps in their order.
class Ordering {
 public:
  /// Threads count from 0 by their first step.
  uint32_t thread_of(uint64_t recorded);
  /// The time that the thread spent outside of its steps, before one that began and ended then.
  int64_t pause_before(uint32_t thread, int64_t begin, int64_t end);
  /// Sets after_record and after_stream. `index` is the step's.
  void enter(Step& step, uint32_t index);
  /// The device of the thread's latest step; 0 before the first.
  int32_t device_of(uint32_t thread) const;
  /// The event recorded last on the stream; with kNoIndex, by the thread. kNoIndex: none.
  uint32_t latest_event(uint32_t stream, uint32_t thread) const;

 private:
  struct Thread {
    int64_t end = INT64_MIN;  // of its latest step
    int32_t device = 0;
    uint32_t event = kNoIndex;
  };
  struct Submitted {
    uint32_t step = kNoIndex;
    uint32_t thread = 0;
  };
  std::unordered_map<uint64_t, uint32_t> threads_by_id_;
  std::vector<Thread> threads_;
  std::unordered_map<uint32_t, Submitted> streams_;  // the latest step of each
  std::unordered_map<uint32_t, Submitted> records_;  // of each event
  std::unordered_map<uint32_t, uint32_t> latest_on_stream_;
};

/// On entry each record has an event of its own. Gives events whose last use has been submitted to
/// later records of the same thread, and returns how many are left.
uint32_t reuse_events(std::vector<Step>& steps);

}  // namespace ferry::tools::replay
