// SPDX-License-Identifier: Apache-2.0
// Begin and end of observed work: two points on the line per work, reported once both have passed.
#pragma once

#include "backends/cuda/queue/line.h"

#include "ferry/backend.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// Belongs to one queue and is guarded by its lock. Functions that take the lock release it while
// they call the observer. Without an observer nothing is recorded.
class Spans {
 public:
  using Lock = std::unique_lock<std::mutex>;

  explicit Spans(Line& line) : line_(line) {}

  bool is_observed() const { return observer_ != nullptr; }
  // Work that is done by now is reported to the previous observer. Without a new one the rest is
  // dropped. Returns when no report to the previous observer is in progress.
  void observe(Lock& lock, ferryx_observer observer, void* argument);

  // The next work starts behind everything that is on the line now. Replaces an earlier start that
  // no end has followed.
  void start() {
    if (is_observed()) record_start();
  }
  // The work that has started ends behind everything that is on the line now. It is the one at
  // `place` in the queue; places grow. Returns true when the first span became pending: the caller
  // must then post the queue. Does nothing if no work has started.
  [[nodiscard]] bool end(uint64_t place, uint64_t correlation) {
    return start_ != nullptr && record_end(place, correlation);
  }
  // The work that has started did not execute or was dropped.
  void cancel() { start_.reset(); }

  bool is_pending() const { return !pending_.empty(); }
  // Whether a span up to this place is pending or is being reported.
  bool has_some(uint64_t up_to) const {
    return (reporting_ != kNone && reporting_ <= up_to) ||
           (is_pending() && pending_.front().place <= up_to);
  }
  // Reports the spans that have passed, unless another thread is reporting.
  void report_passed(Lock& lock);
  // Reports the spans that have passed. Returns when this or another thread has reported those of
  // them up to this place.
  void report_up_to(Lock& lock, uint64_t place);

 private:
  struct Span {
    uint64_t place = 0;
    uint64_t correlation = 0;
    std::unique_ptr<Point> start;
    std::unique_ptr<Point> end;
  };
  static constexpr uint64_t kNone = UINT64_MAX;

  void record_start();
  bool record_end(uint64_t place, uint64_t correlation);
  std::vector<Span> take_passed();

  Line& line_;
  ferryx_observer observer_ = nullptr;
  void* argument_ = nullptr;
  std::unique_ptr<Point> start_;  // of the work that has started
  // In the order of the line. Invariant: empty without an observer.
  std::deque<Span> pending_;
  // Place of the first span of those that a thread is reporting. Invariant: at most one thread
  // reports at a time.
  uint64_t reporting_ = kNone;
  std::condition_variable has_reported_;
};

}  // namespace ferry::cuda
