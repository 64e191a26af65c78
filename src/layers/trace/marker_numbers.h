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
    flags_.clear();
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
  // The flag stands for an event in this run of a model: it is set once, and taken once. Runs of a
  // model follow each other. Throws std::bad_alloc.
  uint64_t of_flag(const ferryx_flag* flag, uint64_t model, uint64_t run) {
    const std::lock_guard lock(mutex_);
    FlagEntry& entry = flags_[flag];
    if (entry.number == 0 || entry.model != model || entry.run != run) {
      entry = {.model = model, .run = run, .number = ++last_};
    }
    return entry.number;
  }

 private:
  struct FlagEntry {
    uint64_t model = 0;
    uint64_t run = 0;
    uint64_t number = 0;
  };
  struct Entry {
    uint64_t number = 0;
    bool is_recorded = false;  // false: only waits have asked so far
  };
  std::mutex mutex_;  // guards what follows; held for a look-up
  std::unordered_map<const ferryx_marker*, Entry> numbers_;
  std::unordered_map<const ferryx_flag*, FlagEntry> flags_;
  uint64_t last_ = 0;
};

}  // namespace ferry::layers::trace
