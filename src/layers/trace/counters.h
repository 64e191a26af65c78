// SPDX-License-Identifier: Apache-2.0
// The counters of devices: bytes in flight, and allocated memory.
#pragma once

#include "layers/trace/event_list.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ferry::layers::trace {

// Changes arrive in no order; a round puts them in order. Samples of a counter are at least 100
// microseconds apart, except the last one of a round.
class Counters {
 public:
  enum class What : uint8_t { kInFlight, kMemory };

  void change(What what, int32_t device, int64_t time, int64_t bytes);
  void end_round(EventList& events);

 private:
  struct Change {
    int64_t time;
    int64_t bytes;
  };
  struct Series {
    std::vector<Change> changes;  // of this round
    int64_t value = 0;
    int64_t last = 0;  // time of the latest sample
  };
  static void write(const std::pair<What, int32_t>& key, Series& series, EventList& events);

  std::map<std::pair<What, int32_t>, Series> series_;
};

}  // namespace ferry::layers::trace
