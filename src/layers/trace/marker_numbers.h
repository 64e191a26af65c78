// SPDX-License-Identifier: Apache-2.0
// Numbers of event records: a wait has the number of the record that it waits for.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace ferry::layers::trace {

// By the address of the marker, which is reached once. An address that is used again is a new
// marker: it was made, or reached by another queue, since. May be shared between threads.
class MarkerNumbers {
 public:
  void clear() {
    const std::lock_guard lock(mutex_);
    numbers_.clear();
    last_ = 0;
  }
  void note_made(const ferryx_marker* marker) {
    const std::lock_guard lock(mutex_);
    numbers_.erase(marker);
  }
  // A queue is to reach the marker, or to wait for it. Throws std::bad_alloc.
  uint64_t of_record(const ferryx_marker* marker) {
    const std::lock_guard lock(mutex_);
    Entry& entry = numbers_[marker];
    if (entry.number == 0 || entry.is_recorded) entry.number = ++last_;
    entry.is_recorded = true;
    return entry.number;
  }
  uint64_t of_wait(const ferryx_marker* marker) {
    const std::lock_guard lock(mutex_);
    Entry& entry = numbers_[marker];
    if (entry.number == 0) entry.number = ++last_;
    return entry.number;
  }

 private:
  struct Entry {
    uint64_t number = 0;
    bool is_recorded = false;  // false: only waits have asked so far
  };
  std::mutex mutex_;  // guards what follows; held for a look-up
  std::unordered_map<const ferryx_marker*, Entry> numbers_;
  uint64_t last_ = 0;
};

}  // namespace ferry::layers::trace
