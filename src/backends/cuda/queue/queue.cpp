// SPDX-License-Identifier: Apache-2.0
// Submitting to a queue, waiting for it, dropping its tasks. What happens to held tasks when their
// turn comes: queue_advance.cpp.
#include "backends/cuda/queue/queue.h"

#include "backends/cuda/queue/marker.h"
#include "backends/cuda/queue/polling.h"
#include "base/pause.h"

#include "acl/error_codes/rt_error_codes.h"

#include <iterator>
#include <shared_mutex>
#include <utility>

namespace ferry::cuda {
namespace {

// So many tasks whose failure shows later may be on a line; one more waits for it to run dry.
constexpr size_t kMostChecks = 1024;

// The task is dropped: tells those it concerns. Called without the lock.
void discard(Task& task) {
  if (task.kind == TaskKind::kMark) task.marker->drop();
  if (task.kind == TaskKind::kCallout) task.start(task.argument, nullptr);
  let_go(task);
}

}  // namespace

void finish(std::unique_ptr<Callout> callout) {
  const std::lock_guard lock(callout->link->mutex);
  if (callout->link->queue != nullptr) callout->link->queue->finish_callout(callout->link->token);
}

Queue::Queue(Line& line, Watcher& watcher, void* cookie)
    : line_(line), watcher_(watcher), cookie_(cookie) {}

Queue::~Queue() {
  drop_tasks(Waiters::kUntold);
  watcher_.forget(*this);
  // The slots are written by work on the line. A line that has failed writes no more.
  static_cast<void>(line_.synchronize());
  for (const Check& check : checks_)
    line_.give_back(check.slot);
}

// ---- submitting ----

bool Queue::is_stopped() const {
  return host->before_task(cookie_) == FERRYX_STOP;
}

template <class Work, class Copy>
int Queue::submit_now_or_later(const ferryx_task& origin, const Work& work, Copy copy) {
  {
    const Lock lock = lock_soon(mutex_);
    if (held_.empty()) {
      const std::shared_lock memory(line_.memory_lock());
      if (is_resolved(origin, work)) {
        const Trouble trouble = is_stopped() ? Trouble() : copy();
        passed_ = ++submitted_;
        return fail(trouble);
      }
    }
  }
  return submit(make_copies(origin, work));
}

int Queue::submit_copies(const ferryx_task& origin, const ferryx_copies& copies) {
  return submit_now_or_later(origin, copies, [&] { return line_.copy(copies); });
}

int Queue::submit_columns(const ferryx_task& origin, const ferryx_columns& columns) {
  return submit_now_or_later(origin, columns, [&] { return line_.copy_columns(columns); });
}

int Queue::submit(std::unique_ptr<Task> task) {
  Trouble trouble;
  bool drops = false;
  {
    const Lock lock = lock_soon(mutex_);
    ++submitted_;
    const bool is_open = held_.empty();
    drops = is_open && is_stopped();
    if (!drops && !(is_open && try_now(*task, trouble))) {
      held_.push_back(std::move(task));
      if (is_open) watcher_.post(*this);
      return ACL_RT_SUCCESS;
    }
    passed_ = submitted_;
  }
  drops ? discard(*task) : let_go(*task);
  return fail(trouble);
}

bool Queue::try_now(Task& task, Trouble& trouble) {
  switch (task.kind) {
    case TaskKind::kMark:
      trouble = record(task);
      return true;
    case TaskKind::kAwait:
      return try_await(task, trouble);
    case TaskKind::kSetFlag:
    case TaskKind::kTakeFlag:
    case TaskKind::kCallout:
      return false;
    default:
      break;
  }
  if (checks_.size() >= kMostChecks) return false;
  const std::shared_lock memory(line_.memory_lock());
  if (!prepare(task).empty()) return false;  // reported when its turn comes
  trouble = hand_over(task);
  return true;
}

bool Queue::try_await(Task& task, Trouble& trouble) {
  Marker::State state = Marker::State::kWaiting;
  trouble = task.marker->ask(state);
  switch (state) {
    case Marker::State::kReached:
    case Marker::State::kDropped:
      return true;
    case Marker::State::kOnLine:
      if (task.timeout != FERRYX_FOREVER) return false;
      trouble = line_.await(task.marker->point());
      return true;
    case Marker::State::kWaiting:
      break;
  }
  return false;
}

Trouble Queue::record(Task& task) {
  std::unique_ptr<Point> point;
  Trouble trouble = line_.record(point);
  if (trouble.ok()) {
    task.marker->set_point(std::move(point));
  } else {
    task.marker->drop();  // nobody shall wait for it for ever
  }
  return trouble;
}

Trouble Queue::hand_over(Task& task) {
  switch (task.kind) {
    case TaskKind::kCopies:
      return line_.copy(task.copies());
    case TaskKind::kCopy2d:
      return line_.copy_2d(task.rows);
    case TaskKind::kFill:
      return line_.fill(task.fill);
    default:
      return hand_over_checked(task);
  }
}

Trouble Queue::hand_over_checked(Task& task) {
  Check check{.origin = task.origin, .place = passed_ + 1};
  Trouble trouble = line_.take_slot(check.slot);
  if (!trouble.ok()) return trouble;
  trouble = task.kind == TaskKind::kDescribed ? line_.copy_described(task.descriptor, check.slot)
                                              : line_.copy_indirect(task.indirect, check.slot);
  if (!trouble.ok()) {
    line_.give_back(check.slot);
    return trouble;
  }
  checks_.push_back(check);
  if (checks_.size() == 1) watcher_.post(*this);
  return {};
}

// ---- waiting ----

int Queue::query(bool& is_done) {
  Lock lock = lock_soon(mutex_);
  is_done = false;
  if (!held_.empty()) return ACL_RT_SUCCESS;
  const uint64_t target = passed_;
  bool is_idle = false;
  const Trouble trouble = line_.query(is_idle);
  if (is_idle) collect_checks(lock, target);
  is_done = is_idle && held_.empty() && reporters_ == 0;
  lock.unlock();
  return fail(trouble);
}

int Queue::synchronize(int64_t timeout) {
  const Clock::time_point deadline = deadline_after(timeout);
  Lock lock = lock_soon(mutex_);
  const Wait wait{.target = submitted_, .aborts = aborts_};
  if (!wait_for_hand_over(lock, wait, deadline)) return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
  if (aborts_ != wait.aborts) return ACL_ERROR_RT_STREAM_ABORT;
  // All that is waited for was handed over: what has no check now gets none.
  const bool may_fail = !checks_.empty() || reporters_ > 0;
  lock.unlock();
  bool is_late = false;
  const Trouble trouble = wait_for_line(wait, deadline, is_late);
  if (may_fail) {
    lock.lock();
    if (!is_late) collect_checks(lock, wait.target);
    changed_.wait(lock, [&] { return reporters_ == 0; });
    lock.unlock();
  }
  if (aborts_ != wait.aborts) return ACL_ERROR_RT_STREAM_ABORT;
  if (!trouble.ok()) return fail(trouble);
  return is_late ? ACL_ERROR_RT_STREAM_SYNC_TIMEOUT : ACL_RT_SUCCESS;
}

// False when the time is up.
bool Queue::wait_for_hand_over(Lock& lock, const Wait& wait, Clock::time_point deadline) {
  const auto is_over = [&] { return passed_ >= wait.target || aborts_ != wait.aborts; };
  if (is_over()) return true;
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, is_over);
  changed_.wait(lock, is_over);
  return true;
}

Trouble Queue::wait_for_line(const Wait& wait, Clock::time_point deadline, bool& is_late) {
  if (deadline == Clock::time_point::max()) return line_.synchronize();
  // A point, because others may go on submitting and the line never be idle.
  std::unique_ptr<Point> point;
  Trouble trouble;
  {
    const Lock lock = lock_soon(mutex_);
    trouble = line_.record(point);
  }
  if (!trouble.ok()) return trouble;
  is_late = !poll_until(deadline, [&] {
    bool is_passed = false;
    trouble = point->query(is_passed);
    return is_passed || !trouble.ok() || aborts_ != wait.aborts;
  });
  return trouble;
}

// ---- dropping ----

void Queue::drop_tasks(Waiters waiters) {
  std::deque<std::unique_ptr<Task>> dropped;
  std::unique_ptr<Task> started;  // a callout under way: the host has its argument
  std::shared_ptr<Link> link;
  {
    const Lock lock = lock_soon(mutex_);
    if (waiters == Waiters::kAborted) ++aborts_;
    if (stage_ == Stage::kBusy) {
      is_front_dropped_ = true;
      dropped.assign(std::make_move_iterator(held_.begin() + 1),
                     std::make_move_iterator(held_.end()));
      held_.resize(1);
    } else if (!held_.empty()) {
      unpark_front();
      dropped.swap(held_);
      stage_ = Stage::kNew;
      link = std::move(link_);
    }
    if (link != nullptr) {
      started = std::move(dropped.front());
      dropped.pop_front();
    }
    passed_ = submitted_ - held_.size();
    changed_.notify_all();
  }
  if (link != nullptr) {
    const std::lock_guard lock(link->mutex);
    link->queue = nullptr;
  }
  for (const std::unique_ptr<Task>& task : dropped)
    discard(*task);
}

void Queue::abort() {
  drop_tasks(Waiters::kAborted);
  Lock lock(mutex_);
  changed_.wait(lock, [&] { return stage_ != Stage::kBusy; });
}

}  // namespace ferry::cuda
