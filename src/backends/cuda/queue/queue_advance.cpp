// SPDX-License-Identifier: Apache-2.0
// What happens to held tasks: the watcher's thread comes by, and each visit goes as far as it can.
// Everything here runs with the queue's lock, but for calls into the host: the runtime is told
// about faults, and callouts are started, without it.
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

// Whether the task waits from the moment it is the front, not only when the line has run dry: a
// time limit starts when the stream gets there, and so does everything the host can see.
bool waits_at_once(const Task& task) {
  return task.kind == TaskKind::kAwait && task.timeout == FERRYX_FOREVER;
}

// The kernel writes the rest of the slot first; who sees the code sees it all.
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
  visit.polls = visit.polls || !checks_.empty();
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
    if (!checks_.empty()) return Visit{.polls = true};  // those before it are reported first
    return reach_front(lock);
  }
  return wait_front(lock);
}

// The line has run dry: the turn of the front has come.
std::optional<Queue::Visit> Queue::reach_front(Lock& lock) {
  Task& task = *held_.front();
  switch (task.kind) {
    case TaskKind::kSetFlag:
      task.flag->set();
      return {};
    case TaskKind::kCallout:
      return start_callout(lock);
    case TaskKind::kAwait:
    case TaskKind::kTakeFlag:
      deadline_ = deadline_after(task.timeout);
      stage_ = Stage::kWaiting;
      return wait_front(lock);
    default:
      run_late(lock);
      return {};
  }
}

// Work that could not be handed over when it became the front: judged once more, now that it would
// run.
void Queue::run_late(Lock& lock) {
  Task& task = *held_.front();
  std::string wrong;
  Trouble trouble;
  {
    const std::shared_lock memory(line_.memory_lock());
    wrong = prepare(task);
    if (wrong.empty()) trouble = hand_over(task);
  }
  if (!wrong.empty()) trouble = {.code = ACL_ERROR_RT_TS_ERROR, .text = std::move(wrong)};
  if (!trouble.ok()) report_front(lock, trouble.code, trouble.text);
}

std::optional<Queue::Visit> Queue::start_callout(Lock& lock) {
  Task& task = *held_.front();
  auto link = std::make_shared<Link>();
  link->queue = this;
  link->token = ++token_;
  is_callout_done_ = false;
  stage_ = Stage::kBusy;
  lock.unlock();
  task.start(task.argument, reinterpret_cast<ferryx_callout*>(new Callout{link}));
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
  Task& task = *held_.front();
  switch (task.kind) {
    case TaskKind::kCallout:
      if (is_callout_done_) return {};
      return Visit{};
    case TaskKind::kTakeFlag:
      if (task.flag->take_or_park(*this)) return {};
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
  // On the line of another queue it has to be asked for; else whoever brings it there wakes us.
  const bool is_parked = task.marker->park(*this);
  return time_out_or(lock, {.polls = !is_parked, .deadline = deadline_});
}

// The front stays with `visit`, unless its time is up.
std::optional<Queue::Visit> Queue::time_out_or(Lock& lock, const Visit& visit) {
  if (deadline_ == Clock::time_point::max() || Clock::now() < deadline_) return visit;
  unpark_front();
  report_front(lock, ACL_ERROR_RT_WAIT_TIMEOUT, kTimeIsUp);
  return {};
}

void Queue::unpark_front() {
  const Task& task = *held_.front();
  if (task.kind == TaskKind::kAwait) task.marker->unpark(*this);
  if (task.kind == TaskKind::kTakeFlag) task.flag->unpark(*this);
}

void Queue::pass_front() {
  let_go(*held_.front());
  held_.pop_front();
  stage_ = Stage::kNew;
  is_front_dropped_ = false;
  link_.reset();
  passed_ = submitted_ - held_.size();
  changed_.notify_all();
}

// ---- faults ----

void Queue::report_front(Lock& lock, int code, const std::string& text) {
  const ferryx_task origin = held_.front()->origin;
  stage_ = Stage::kBusy;
  report(lock, origin, code, text);
}

void Queue::report(Lock& lock, const ferryx_task& origin, int code, const std::string& text) {
  const ferryx_fault fault{.task = &origin, .code = code, .text = text.c_str()};
  ++reporters_;
  lock.unlock();
  if (host->task_failed(cookie_, &fault) == FERRYX_STOP) drop_tasks(Waiters::kUntold);
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
  std::vector<std::pair<ferryx_task, std::string>> failed;
  std::erase_if(checks_, [&](Check& check) {
    if (!check.is_reported && has_fault(*check.slot)) {
      check.is_reported = true;
      failed.emplace_back(check.origin, describe(*check.slot));
    }
    if (check.place > done) return false;
    line_.give_back(check.slot);
    return true;
  });
  ++reporters_;  // for all of them together: nobody sees some of them only
  for (const auto& [origin, text] : failed)
    report(lock, origin, ACL_ERROR_RT_TS_ERROR, text);
  if (--reporters_ == 0) changed_.notify_all();
}

}  // namespace ferry::cuda
