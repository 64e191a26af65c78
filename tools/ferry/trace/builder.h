// SPDX-License-Identifier: Apache-2.0
// Makes a Trace of events: what the members mean, and which call a work belongs to.
#pragma once

#include "trace/event.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::tools::trace {

/// Not to be shared between threads.
class Builder {
 public:
  explicit Builder(Trace& trace) : trace_(trace) {}

  /// The first event of a file: "", or what is wrong with it, as the rest of a sentence about the
  /// file.
  std::string begin(const Event& event);
  /// Any later one. False when it is none of Ferry's.
  bool add(const Event& event);
  /// After the last one: orders calls and works and links them.
  void finish();

  /// How many events are kept; for a bound on memory.
  uint64_t kept() const { return kept_; }

 private:
  struct Lane {
    uint64_t thread = 0;
    int32_t device = -1;
    int32_t stream = -1;
  };
  struct Flow {  // from a call to a work
    uint64_t work;
    uint64_t thread;
    int64_t time;
  };

  bool add_slice(const Event& event);
  bool add_instant(const Event& event);
  bool add_metadata(const Event& event);
  bool add_async(const Event& event, std::string_view phase);
  void add_call(const Event& event);
  void add_work(const Event& event);
  void add_items(uint64_t work, const Event& event);
  void add_range(const Event& event);
  void add_sample(const Event& event);
  void add_flow(const Event& event);
  void add_modules(const Event& event);
  void add_stack(const Event& event);
  int64_t note_time(int64_t time);
  void link();
  TextId intern(std::string_view text) { return trace_.texts.id_of(text); }

  static Lane lane_of(const Event& event);

  Trace& trace_;
  std::vector<Flow> flows_;
  std::unordered_map<uint64_t, std::vector<size_t>> open_;  // ranges by id: places in trace_.ranges
  int64_t last_time_ = 0;
  uint64_t kept_ = 0;
};

}  // namespace ferry::tools::trace
