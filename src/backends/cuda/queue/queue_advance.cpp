// SPDX-License-Identifier: Apache-2.0
// Progress of held work: the watcher's thread visits the queue, and each visit goes as far as it
// can. Everything here holds the queue's lock, except for calls into the runtime: faults are
// reported and callouts are started without it.
#include "backends/cuda/queue/marker.h"
#include "backends/cuda/queue/queue.h"
#include "base/pause.h"

#include "acl/error_codes/rt_error_codes.h"

#include <atomic>
#include <shared_mutex>
#include <utility>

namespace ferry::cuda {
namespace {

constexpr const char* kTimeIsUp = "what the stream waits for did not come in time";

// Whether the task starts to wait when it becomes the front, not only when the line is idle. Work
// with a timeout must not: the timeout starts when all earlier work is done. Nor must work with an
// effect that is visible to the host.
bool waits_at_once(const Task& task) {
  return task.kind() == FERRYX_AWAIT && task.payload().marker.timeout == FERRYX_FOREVER;
}

int64_t timeout_of(const Task& task) {
  return task.kind() == FERRYX_AWAIT ? task.payload().marker.timeout : task.payload().flag.timeout;
}

// The kernel writes the code last: a thread that sees it sees the rest of the slot.
bool has_fault(FaultSlot& slot) {
  return std::atomic_ref<uint32_t>(slot.code).load(std::memory_order_acquire) != 0;
}

}  // namespace

Queue::Visit Queue::advance() {
  Lock lock = lock_soon(mutex_);
  Visit visit;
  bool has_moved = false;
  for (;;) {
    collect_known_checks(lock);
    spans_.report_passed(lock);
    if (held_.empty()) break;
    if (is_stopped()) {
      lock.unlock();
      drop_tasks(Waiters::kUntold);
      lock = lock_soon(mutex_);
      continue;
    }
    const std::optional<Visit> stays = step_front(lock);
    if (stays.has_value()) {
      visit = *stays;
      break;
    }
    pass_front();
    has_moved = true;
  }
  visit.polls = visit.polls || !checks_.empty() || spans_.is_pending();
  visit.has_moved = has_moved;
  return visit;
}

std::optional<Queue::Visit> Queue::step_front(Lock& lock) {
  Task& task = *held_.front();
  if (stage_ == Stage::kNew) {
    Trouble trouble;
    if (try_now(task, trouble)) {
      if (!trouble.ok()) report_front(lock, trouble.code, trouble.text);
      return {};
    }
    deadline_ = Clock::time_point::max();
    stage_ = waits_at_once(task) ? Stage::kWaiting : Stage::kDraining;
  }
  if (stage_ == Stage::kDraining) {
    bool is_idle = false;
    const Trouble trouble = line_.query(is_idle);
    if (!is_idle && trouble.ok()) return Visit{.polls = true};
    if (!checks_.empty()) return Visit{.polls = true};  // earlier faults are reported first
    return reach_front(lock);
  }
  return wait_front(lock);
}

// The line is idle: the turn of the front has come.
std::optional<Queue::Visit> Queue::reach_front(Lock& lock) {
  const Task& task = *held_.front();
  spans_.start();
  switch (task.kind()) {
    case FERRYX_SET_FLAG:
      task.flag().set();
      return {};
    case FERRYX_CALLOUT:
      return start_callout(lock);
    case FERRYX_AWAIT:
    case FERRYX_TAKE_FLAG:
      deadline_ = deadline_after(timeout_of(task));
      stage_ = Stage::kWaiting;
      return wait_front(lock);
    default:
      run_late(lock);
      return {};
  }
}

// Work that could not be handed over when it became the front: now that its turn has come, its
// addresses are validated once more.
void Queue::run_late(Lock& lock) {
  Task& task = *held_.front();
  std::string wrong;
  Trouble trouble;
  {
    const std::shared_lock memory(line_.memory_lock());
    wrong = task.prepare();
    if (wrong.empty()) trouble = hand_over(task);
  }
  if (!wrong.empty()) trouble = {.code = ACL_ERROR_RT_TS_ERROR, .text = std::move(wrong)};
  if (!trouble.ok()) report_front(lock, trouble.code, trouble.text);
}

std::optional<Queue::Visit> Queue::start_callout(Lock& lock) {
  const ferryx_callout_work& callout = held_.front()->payload().callout;
  auto link = std::make_shared<Link>();
  link->queue = this;
  link->token = ++token_;
  is_callout_done_ = false;
  stage_ = Stage::kBusy;
  lock.unlock();
  callout.start(callout.argument, new Callout(link));
  lock = lock_soon(mutex_);
  if (is_front_dropped_) {
    lock.unlock();
    {
      const std::lock_guard cut(link->mutex);
      link->queue = nullptr;
    }
    lock = lock_soon(mutex_);
    return {};
  }
  stage_ = Stage::kWaiting;
  link_ = std::move(link);
  changed_.notify_all();
  return wait_front(lock);
}

void Queue::finish_callout(uint64_t token) {
  const Lock lock = lock_soon(mutex_);
  if (token != token_) return;
  is_callout_done_ = true;
  watcher_.post(*this);
}

std::optional<Queue::Visit> Queue::wait_front(Lock& lock) {
  const Task& task = *held_.front();
  switch (task.kind()) {
    case FERRYX_CALLOUT:
      if (is_callout_done_) return {};
      return Visit{};
    case FERRYX_TAKE_FLAG:
      if (task.flag().take_or_park(*this)) return {};
      return time_out_or(lock, {.deadline = deadline_});
    default:
      return wait_for_marker(lock);
  }
}

std::optional<Queue::Visit> Queue::wait_for_marker(Lock& lock) {
  Task& task = *held_.front();
  Trouble trouble;
  if (try_await(task, trouble)) {
    if (!trouble.ok()) report_front(lock, trouble.code, trouble.text);
    return {};
  }
  // A marker on the line of another queue has to be polled. Otherwise the thread that records or
  // drops it wakes this queue.
  const bool is_parked = task.marker().park(*this);
  return time_out_or(lock, {.polls = !is_parked, .deadline = deadline_});
}

// The front stays with `visit`, unless its timeout has expired.
std::optional<Queue::Visit> Queue::time_out_or(Lock& lock, const Visit& visit) {
  if (deadline_ == Clock::time_point::max() || Clock::now() < deadline_) return visit;
  unpark_front();
  end_span(held_.front()->work());
  report_front(lock, ACL_ERROR_RT_WAIT_TIMEOUT, kTimeIsUp);
  return {};
}

void Queue::unpark_front() {
  const Task& task = *held_.front();
  if (task.kind() == FERRYX_AWAIT) task.marker().unpark(*this);
  if (task.kind() == FERRYX_TAKE_FLAG) task.flag().unpark(*this);
}

void Queue::pass_front() {
  end_span(held_.front()->work());
  held_.pop_front();
  stage_ = Stage::kNew;
  is_front_dropped_ = false;
  link_.reset();
  passed_ = submitted_ - held_.size();
  changed_.notify_all();
}

// ---- faults ----

void Queue::report_front(Lock& lock, int code, const std::string& text) {
  spans_.cancel();
  stage_ = Stage::kBusy;
  report(lock, held_.front()->work(), code, text);  // the front stays while kBusy
}

void Queue::report(Lock& lock, const ferryx_work& work, int code, const std::string& text) {
  const ferryx_fault fault{.work = &work, .code = code, .text = text.c_str()};
  ++reporters_;
  lock.unlock();
  if (services->work_failed(cookie_, &fault) == FERRYX_STOP) drop_tasks(Waiters::kUntold);
  lock = lock_soon(mutex_);
  --reporters_;
  changed_.notify_all();
}

void Queue::collect_known_checks(Lock& lock) {
  if (checks_.empty()) return;
  const uint64_t handed_over = passed_;
  bool is_idle = false;
  const Trouble trouble = line_.query(is_idle);
  collect_checks(lock, is_idle || !trouble.ok() ? handed_over : 0);
}

void Queue::collect_checks(Lock& lock, uint64_t done) {
  if (checks_.empty()) return;
  std::vector<std::pair<WorkClone, std::string>> failed;
  std::erase_if(checks_, [&](Check& check) {
    if (!check.is_reported && has_fault(*check.slot)) {
      check.is_reported = true;
      failed.emplace_back(std::move(check.work), describe(*check.slot));
    }
    if (check.place > done) return false;
    line_.give_back(check.slot);
    return true;
  });
  ++reporters_;  // around all of them: a waiting thread sees either none or all reported
  for (const auto& [work, text] : failed)
    report(lock, *work, ACL_ERROR_RT_TS_ERROR, text);
  if (--reporters_ == 0) changed_.notify_all();
}

}  // namespace ferry::cuda
