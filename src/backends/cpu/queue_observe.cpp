// SPDX-License-Identifier: Apache-2.0
// Begin and end times of work, for the queue's observer. Spans are noted under the queue's lock
// when tasks finish, and reported without it.
#include "backends/cpu/queue.h"

#include <chrono>

namespace ferry::cpu {
namespace {

uint64_t nanoseconds_of(Clock::time_point time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  return static_cast<uint64_t>(since.count());
}

}  // namespace

void Queue::observe(ferryx_observer observer, void* argument) {
  Lock lock(mutex_);
  observer_ = {observer, argument};
  is_observed_.store(observer != nullptr, std::memory_order_relaxed);
  spans_.clear();
  ++visitors_;
  changed_.wait(lock, [&] { return reporters_ == 0; });
  --visitors_;
  changed_.notify_all();
}

// The tasks from the front up to `last` are finished. A dropped task has no begin time.
void Queue::note_spans(const Task* last) {
  const Clock::time_point now = Clock::now();
  for (Task* task = tasks_.front();; task = task->next) {
    if (task->begun_at != Clock::time_point()) {
      const bool is_small = task->ended_at != Clock::time_point();
      spans_.push_back({.correlation = task->origin.correlation,
                        .begin = nanoseconds_of(task->begun_at),
                        .end = nanoseconds_of(is_small ? task->ended_at : now)});
    }
    task->begun_at = task->ended_at = {};
    if (task == last) return;
  }
}

void Queue::report_spans() {
  std::vector<ferryx_span> spans;
  Observer observer;
  {
    const Lock lock(mutex_);
    if (spans_.empty()) return;
    spans.swap(spans_);
    observer = observer_;
    ++reporters_;
  }
  for (const ferryx_span& span : spans) {
    if (observer.call != nullptr) observer.call(observer.argument, &span);
  }
  const Lock lock(mutex_);
  if (--reporters_ == 0) changed_.notify_all();
}

}  // namespace ferry::cpu
