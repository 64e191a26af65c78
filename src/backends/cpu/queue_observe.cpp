// SPDX-License-Identifier: Apache-2.0
// Begin and end of work, for an observer. Spans are noted with the queue's lock, when tasks are
// over, and reported without it. Invariant: spans that are noted are for the present observer.
#include "backends/cpu/queue.h"

#include <chrono>
#include <new>
#include <utility>

namespace ferry::cpu {
namespace {

uint64_t nanoseconds_of(Clock::time_point time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  return static_cast<uint64_t>(since.count());
}

}  // namespace

void Queue::observe(ferryx_observer observer, void* argument) {
  Lock lock(mutex_);
  const Observer before = std::exchange(observer_, {observer, argument});
  const std::vector<ferryx_span> spans = std::exchange(spans_, {});
  is_observed_.store(observer != nullptr, std::memory_order_relaxed);
  if (observer != nullptr) has_times_ = true;
  ++visitors_;
  lock.unlock();
  // Work that a thread has seen to be over is reported before the observer goes.
  for (const ferryx_span& span : spans)
    before.call(before.argument, &span);
  lock.lock();
  changed_.wait(lock, [&] { return reporters_ == 0; });
  --visitors_;
  changed_.notify_all();
}

// A span that there is no memory for is lost; its task is not.
void Queue::note_span(const ferryx_span& span) noexcept {
  try {
    spans_.push_back(span);
  } catch (const std::bad_alloc&) {
    services->log(2, "a span is lost: host memory is exhausted");
  }
}

// The tasks from the front up to `last` are over. One that was dropped has not begun. Times are
// removed from tasks even if nobody observes any more: tasks are used again.
void Queue::note_spans(const Task* last) {
  const Clock::time_point now = Clock::now();
  for (Task* task = tasks_.front();; task = task->next) {
    if (observer_.call != nullptr && task->begun_at != Clock::time_point()) {
      const bool is_small = task->ended_at != Clock::time_point();
      note_span({.correlation = task->origin.correlation,
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
  for (const ferryx_span& span : spans)
    observer.call(observer.argument, &span);
  const Lock lock(mutex_);
  if (--reporters_ == 0) changed_.notify_all();
}

}  // namespace ferry::cpu
