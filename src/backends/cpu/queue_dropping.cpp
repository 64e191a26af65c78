// SPDX-License-Identifier: Apache-2.0
// Tasks that are dropped: by an abort, after a failure, with their queue.
#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "base/pause.h"

#include <algorithm>
#include <utility>

namespace ferry::cpu {

void Queue::drop_tasks(Waiters waiters) {
  TaskList dropped;
  std::shared_ptr<Link> link;
  std::unique_ptr<Task> was_parked;
  uint64_t token = 0;
  uint64_t last_running = 0;
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    // An idle queue has nothing to abort: threads that still return from a wait have their work.
    if (waiters == Waiters::kAborted && state_ != State::kIdle) {
      aborts_.fetch_add(1, std::memory_order_release);
      changed_.notify_all();
    }
    if (state_ == State::kShared) is_cut_ = true;
    if (is_front_taken()) is_front_dropped_ = true;
    if (state_ == State::kParked) {
      running_ = 0;
      was_parked.reset(tasks_.pop_front());
      link = std::move(link_);
      token = token_;
    }
    const bool front_runs = is_front_taken() || (state_ == State::kShared && pieces_running_ > 0);
    if (!front_runs) running_ = 0;
    if (front_runs) last_running = tasks_.front()->sequence + running_ - 1;
    dropped = tasks_.take_after(running_);
    if (!front_runs) news = settle();
  }
  if (waiters == Waiters::kAborted) wait_until_finished(last_running);
  if (link != nullptr) link->cut();
  if (was_parked != nullptr) {
    unpark(*was_parked, token);
    was_parked->let_go();
  }
  while (!dropped.empty()) {
    const std::unique_ptr<Task> task(dropped.pop_front());
    discard(*task);
    task->let_go();
  }
  announce(news);
}

// What waits for a dropped marker goes on when the tasks before the marker are over: a copy may
// still be running.
void Queue::abort() {
  drop_tasks(Waiters::kAborted);
}

void Queue::wait_until_finished(uint64_t sequence) {
  Lock lock = lock_soon(mutex_);
  changed_.wait(lock, [&] {
    wake_at_ = std::min(wake_at_, sequence);
    return finished_.load(std::memory_order_relaxed) >= sequence;
  });
}

void Queue::discard(Task& task) {
  task.begun_at = {};  // it is not reported
  switch (task.kind) {
    case FERRYX_MARK:
      return task.marker()->drop();
    case FERRYX_SET_FLAG:
      return task.flag()->remove_setter(*this);
    case FERRYX_CALLOUT:
      return task.as.callout.start(task.as.callout.argument, nullptr);
    case FERRYX_FUNCTION:
      return task.as.function.run(task.as.function.argument, 0);
    default:
      return;
  }
}

}  // namespace ferry::cpu
