// SPDX-License-Identifier: Apache-2.0
// Telling World about a queue when work is submitted, not when it executes: for backends on which a
// callout would stall the queue. Work of a queue executes in the order of submission, so what each
// task can rely on is known by then, with one exception: behind a stop. A stop is work whose effect
// on the order is known only when the queue has passed it: a host function, a wait for a marker
// that is not recorded yet, a wait for a flag. Steps behind a stop are kept until it is passed.
#pragma once

#include "layers/check/front/step.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace ferry::layers::check {

// May be shared between threads. Invariant: kept steps are told in the order of submission, and
// none before the stops that precede it are passed.
class Lookahead {
 public:
  // Reaches the step now, or once all stops before it are passed.
  void tell(std::unique_ptr<Step> step);
  // A stop is queued next.
  uint64_t add_stop();
  enum class Outcome { kOver, kDropped };
  // The queue has passed the stop. If it was dropped, so was everything behind it.
  void pass(uint64_t stop, Outcome outcome);

 private:
  struct Entry {
    uint64_t stop = 0;  // 0: a step
    bool is_passed = false;
    std::unique_ptr<Step> step;
  };

  std::mutex mutex_;  // guards what follows; held while steps are told, so that they keep order
  std::deque<Entry> entries_;  // empty, or a stop that is not passed comes first
  uint64_t last_stop_ = 0;
};

}  // namespace ferry::layers::check
