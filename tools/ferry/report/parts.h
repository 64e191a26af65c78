// SPDX-License-Identifier: Apache-2.0
// The parts that a summary is computed in, and what they share.
#pragma once

#include "report/summary.h"
#include "trace/trace.h"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace ferry::tools::report {

/// Adds to a sum of times; a trace may claim times whose sum does not fit.
inline void grow(int64_t& sum, int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<int64_t>::max();
}

/// Adds works to a tally. They come in the order of their begin.
class Counter {
 public:
  void add(const trace::Work& work, double limit_gbps);
  const Tally& tally() const { return tally_; }

 private:
  Tally tally_;
  int64_t busy_until_ = std::numeric_limits<int64_t>::min();
  int64_t limited_until_ = std::numeric_limits<int64_t>::min();
};

/// What the parts read.
struct Source {
  const trace::Trace& trace;
  const Limits& limits;
  std::vector<uint32_t> by_begin;  // places of works

  double limit_of(const trace::Work& work) const {
    return limits.gbps_of(work.direction, work.memory);
  }
};

/// Whether the work moves or sets bytes.
bool is_copy(const trace::Work& work);
/// Whether the work only waits until something happens elsewhere.
bool is_waiting(trace::Kind kind);

/// Names addresses, each once.
class Places {
 public:
  explicit Places(const PlaceOf& place_of) : place_of_(place_of) {}
  Place of_call(const trace::Trace& trace, uint32_t call);
  Stack of_stack(const trace::Trace& trace, uint64_t number);

 private:
  const Place& of_address(uint64_t address);

  const PlaceOf& place_of_;
  std::unordered_map<uint64_t, Place> known_;
};

/// Sites, blocked time, and the sums over calls.
void summarize_calls(const Source& source, Places& places, Summary& summary);
/// Overlap of streams.
void summarize_overlap(const Source& source, Summary& summary);
/// Idle gaps of devices.
void summarize_gaps(const Source& source, Places& places, Summary& summary);
/// Failed calls and works.
void summarize_failures(const Source& source, Places& places, Summary& summary);

}  // namespace ferry::tools::report
