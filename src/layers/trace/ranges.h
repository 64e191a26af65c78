// SPDX-License-Identifier: Apache-2.0
// Marks and ranges of the program as events. Nested ranges are written when they end; those that
// may end on another thread are two events.
#pragma once

#include "layers/trace/event_list.h"
#include "layers/trace/records.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ferry::layers::trace {

class Ranges {
 public:
  // Times of events count from `start`. `device`: of the stream that the annotation is in.
  void take(const AnnotationRecord& record, int64_t start, int32_t device, EventList& events);
  // Ranges that are open end now.
  void finish(int64_t start, int64_t end, EventList& events);

 private:
  struct Open {
    int64_t begin;
    std::string name;
    std::string domain;
  };
  struct Place {  // of nested ranges
    uint32_t thread;
    std::string domain;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return std::hash<std::string>()(place.domain) ^ place.thread;
    }
  };
  static void write(const Open& range, uint32_t thread, int64_t end, EventList& events);

  std::unordered_map<Place, std::vector<Open>, PlaceHash> open_;
};

}  // namespace ferry::layers::trace
