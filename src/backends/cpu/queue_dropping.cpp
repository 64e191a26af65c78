// SPDX-License-Identifier: Apache-2.0
// Tasks that are dropped: by an abort, after a failure, with their queue.
#include "backends/cpu/function_threads.h"
#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "base/pause.h"

#include <algorithm>
#include <utility>

namespace ferry::cpu {

// An idle queue has nothing to abort: threads that still return from a wait have their work.
void Queue::tell_aborted(const Ended& ended) {
  if (state_ == State::kIdle) return;
  running_at_abort_.store(ended.last_running, std::memory_order_relaxed);
  aborts_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
}

Queue::Ended Queue::end_front() {
  Ended ended;
  if (state_ == State::kShared) is_cut_ = true;
  if (is_front_taken()) is_front_dropped_ = true;
  if (state_ == State::kParked) {
    running_ = 0;
    ended.was_parked.reset(tasks_.pop_front());
    ended.link = std::move(link_);
    ended.token = token_;
  }
  const bool front_runs = is_front_taken() || (state_ == State::kShared && pieces_running_ > 0);
  if (front_runs) ended.last_running = tasks_.front()->sequence + running_ - 1;
  return ended;
}

void Queue::let_go(Ended& ended) {
  if (ended.link != nullptr) ended.link->cut();
  if (ended.was_parked == nullptr) return;
  unpark(*ended.was_parked, ended.token);
  ended.was_parked->let_go();
}

void Queue::drop_tasks(Waiters waiters) {
  TaskList dropped;
  Ended ended;
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    ended = end_front();
    if (waiters == Waiters::kAborted) tell_aborted(ended);
    const bool front_runs = ended.last_running != 0;
    if (!front_runs) running_ = 0;
    dropped = tasks_.take_after(running_);
    if (!front_runs) news = settle();
  }
  if (waiters == Waiters::kAborted) wait_until_finished(ended.last_running);
  let_go(ended);
  discard_all(dropped);
  announce(news);
}

void Queue::discard_all(TaskList& dropped) {
  while (!dropped.empty()) {
    const std::unique_ptr<Task> task(dropped.pop_front());
    discard(*task);
    task->let_go();
  }
}

// A shared task that no thread works on any more, but is not done, is over too. Small tasks that
// one thread has taken together all count as the one that runs.
void Queue::stop() {
  Ended ended;
  TaskList cut;
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    if (state_ == State::kIdle) return;
    is_halted_.store(true, std::memory_order_release);
    const bool is_shared = state_ == State::kShared;
    ended = end_front();
    tell_aborted(ended);
    if (ended.last_running == 0) {
      if (is_shared) cut = tasks_.take_through(tasks_.front(), 1);
      running_ = 0;
      news = settle();
    }
  }
  wait_until_finished(ended.last_running);
  let_go(ended);
  discard_all(cut);
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
    case FERRYX_WRITE_VALUE:
      return forget_write(task);
    case FERRYX_CALLOUT:
      return task.as.callout.start(task.as.callout.argument, nullptr);
    case FERRYX_FUNCTION:
    case FERRYX_KERNEL:
      call_of(task)(0);
      return;
    default:
      return;
  }
}

}  // namespace ferry::cpu
