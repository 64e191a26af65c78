// SPDX-License-Identifier: Apache-2.0
// Schedules that delay tasks: which tasks may run, and what happens to one that has waited long.
#include "backends/cpu/queue.h"
#include "backends/cpu/value_watch.h"
#include "base/pause.h"

namespace ferry::cpu {

void Queue::allow(uint64_t sequence) {
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    if (sequence <= allowed_) return;
    allowed_ = sequence;
    if (state_ == State::kHeld) news = settle();
  }
  announce(news);
}

void Queue::allow_all() {
  allow(submitted_.load(std::memory_order_acquire));
}

uint64_t Queue::submit_write(const ferryx_work& work) {
  if (engine_.schedule() != FERRYX_LAZY) return submit(work);
  const void* const address = work.as.value.address;
  value_watch().add_writer(*this, address);
  uint64_t sequence = 0;
  try {
    sequence = submit(work);
  } catch (...) {
    value_watch().remove_writer(*this, address);
    throw;
  }
  value_watch().demand_writers(address);
  return sequence;
}

void Queue::forget_write(const Task& task) {
  if (engine_.schedule() == FERRYX_LAZY) value_watch().remove_writer(*this, task.as.value.address);
}

// While the timer was armed, tasks that became the front one armed none of their own. If the
// present front task is not due yet, the timer is re-armed for it.
void Queue::look_for_late_task() {
  News front;
  {
    const Lock lock = lock_soon(mutex_);
    front = news();
  }
  if (front.late_at == Clock::time_point::max()) return;
  if (front.late_at > Clock::now()) {
    engine_.look_at(front.late_at, *this);
  } else if (engine_.shuffles()) {
    run_up_to(front.sequence);
  } else {
    allow(front.sequence);
  }
}

void Queue::run_up_to(uint64_t sequence) {
  const auto is_due = [&] {
    const Lock lock = lock_soon(mutex_);
    return !tasks_.empty() && tasks_.front()->sequence <= sequence;
  };
  while (is_due() && run_some() != Ran::kNothing) {
  }
}

}  // namespace ferry::cpu
