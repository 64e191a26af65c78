// SPDX-License-Identifier: Apache-2.0
// Arrows from event records to the waits for them.
#pragma once

#include "layers/trace/event_list.h"
#include "layers/trace/tap_state.h"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ferry::layers::trace {

// Either end may be known first. What is remembered is bounded: the oldest records are forgotten.
class EventArrows {
 public:
  explicit EventArrows(EventList& events) : events_(events) {}

  // Where a work has ended. Times count from the start of the trace.
  struct End {
    int64_t time = 0;
    QueueLane lane;
  };
  void record_was_reached(uint64_t marker, const End& record);
  void wait_ended(uint64_t marker, uint64_t work, const End& wait);

 private:
  struct Wait {
    uint64_t work;
    End end;
  };
  void write(uint64_t marker, const End& record, const Wait& wait);

  EventList& events_;
  std::unordered_map<uint64_t, End> records_;      // by marker
  std::deque<uint64_t> record_order_;              // the oldest first
  std::unordered_multimap<uint64_t, Wait> waits_;  // that ended before their record was known to
};

}  // namespace ferry::layers::trace
