// SPDX-License-Identifier: Apache-2.0
// Tells World about work when it is submitted, not when it executes: for backends on which a
// callout would stall the queue. A queue executes work in the order of submission, so what each
// task can rely on is known at submission, except behind a stop. A stop is work whose effect on the
// order is known only when the queue has passed it: a host or device function, a wait for a flag, a
// wait for a marker that is not recorded yet or with a timeout. Steps behind a stop are kept until
// it is passed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace ferry::layers::check {

// Something that World is told when the queue comes to it, or when it is dropped.
class Step {
 public:
  virtual ~Step() = default;
  virtual void reached() = 0;
  virtual void dropped() = 0;
};

// May be shared between threads. Invariant: steps are reached in the order of submission, and none
// before all stops that precede it are passed.
class Lookahead {
 public:
  // Reaches the step now, or once all stops before it are passed.
  void tell(std::unique_ptr<Step> step);
  // A stop is queued next; returns its number.
  uint64_t add_stop();
  // The queue is about to be aborted: what was told so far will be dropped.
  void note_abort();
  enum class Outcome { kOver, kDropped };
  // The queue has passed the stop. If it was dropped, so was everything behind it, except for what
  // was told after the abort that dropped it.
  void pass(uint64_t stop, Outcome outcome);

 private:
  struct Entry {
    uint64_t stop = 0;    // 0: a step
    uint64_t aborts = 0;  // how many there were when it was told
    bool is_passed = false;
    std::unique_ptr<Step> step;
  };

  std::mutex mutex_;  // guards the members below; held while steps are reached, to keep the order
  std::deque<Entry> entries_;  // invariant: empty, or the first is a stop that is not passed
  uint64_t last_stop_ = 0;
  uint64_t aborts_ = 0;
};

}  // namespace ferry::layers::check
