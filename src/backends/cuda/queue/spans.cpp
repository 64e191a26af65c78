// SPDX-License-Identifier: Apache-2.0
// Recording and reporting spans.
#include "backends/cuda/queue/spans.h"

#include <utility>

namespace ferry::cuda {

void Spans::observe(Lock& lock, ferryx_observer observer, void* argument) {
  report_passed(lock);
  observer_ = observer;
  argument_ = argument;
  if (!is_observed()) {
    start_.reset();
    pending_.clear();
  }
  // A report that begins later is for the new observer.
  const uint64_t previous = reporting_;
  has_reported_.wait(lock, [&] { return reporting_ == kNone || reporting_ != previous; });
}

// A line that refuses a point has a failed device: the work then has no span.
void Spans::record_start() {
  start_.reset();
  static_cast<void>(line_.record(start_));
}

bool Spans::record_end(uint64_t place, uint64_t correlation) {
  Span span{.place = place, .correlation = correlation, .start = std::move(start_), .end = nullptr};
  if (!line_.record(span.end).ok()) return false;
  pending_.push_back(std::move(span));
  return pending_.size() == 1;
}

std::vector<Spans::Span> Spans::take_passed() {
  std::vector<Span> passed;
  while (!pending_.empty()) {
    bool is_passed = false;
    const Trouble trouble = pending_.front().end->query(is_passed);
    if (!is_passed && trouble.ok()) break;
    if (trouble.ok()) passed.push_back(std::move(pending_.front()));
    pending_.pop_front();  // on a failed device its times are unknown
  }
  return passed;
}

void Spans::report_passed(Lock& lock) {
  if (reporting_ != kNone || pending_.empty()) return;
  std::vector<Span> passed = take_passed();
  if (passed.empty()) return;
  reporting_ = passed.front().place;
  const ferryx_observer observer = observer_;
  void* const argument = argument_;
  lock.unlock();
  for (const Span& span : passed) {
    ferryx_span report{.correlation = span.correlation, .begin = 0, .end = 0};
    if (span.start->nanoseconds(report.begin).ok() && span.end->nanoseconds(report.end).ok())
      observer(argument, &report);
  }
  passed.clear();
  lock.lock();
  reporting_ = kNone;
  has_reported_.notify_all();
}

void Spans::report_up_to(Lock& lock, uint64_t place) {
  has_reported_.wait(lock, [&] { return reporting_ == kNone || !has_some(place); });
  report_passed(lock);
}

}  // namespace ferry::cuda
