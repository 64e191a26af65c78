// SPDX-License-Identifier: Apache-2.0
// Marks and ranges of the program as events. Nested ranges are written when they end; those that
// may end on another thread are two events, the begin first. A range that is open when the trace
// ends, ends there; one that began before the trace is not in it.
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
  // Nested ranges that are open, as if they ended now.
  void write_open(int64_t start, int64_t end, EventList& events) const;
  // Ranges that are open end now.
  void finish(int64_t start, int64_t end, EventList& events);

  // Ranges that are left out because too many were open.
  uint64_t dropped() const { return dropped_; }

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
  // Of ranges that may end on another thread: ids are those of the program's ranges, and one in a
  // stream has that of the one it belongs to.
  struct Key {
    int32_t stream;
    uint64_t id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<uint64_t>()(key.id) ^ static_cast<uint32_t>(key.stream);
    }
  };
  // Where and when an end is written.
  struct End {
    uint32_t thread;
    int32_t device;
    int64_t time;
  };

  void begin(const AnnotationRecord& record, const End& place, EventList& events);
  static void write(const Open& range, uint32_t thread, int64_t end, EventList& events);
  static void write_end(const Key& key, const End& end, EventList& events);

  std::unordered_map<Place, std::vector<Open>, PlaceHash> open_;
  std::unordered_map<Key, End, KeyHash> begun_;  // the time is that of the begin
  // Ends whose begins were not taken yet: another thread has noted them. Or they never will be.
  std::unordered_map<Key, End, KeyHash> early_ends_;
  uint64_t dropped_ = 0;
};

}  // namespace ferry::layers::trace
