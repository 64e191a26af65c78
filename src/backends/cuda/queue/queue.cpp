// SPDX-License-Identifier: Apache-2.0
// Submitting to a queue, waiting for it, dropping its work. Progress of held work is made in
// queue_advance.cpp.
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

// The limit on work whose kernels may report a fault on one line. Further work waits until the line
// is idle.
constexpr size_t kMostChecks = 1024;

// The task is dropped: drops its marker or callout, too. Called without the lock.
void discard(const Task& task) {
  if (task.kind() == FERRYX_MARK) task.marker().drop();
  if (task.kind() != FERRYX_CALLOUT) return;
  const ferryx_callout_work& callout = task.payload().callout;
  callout.start(callout.argument, nullptr);
}

// The host has executed the callout: the queue continues, if it still exists.
void finish(ferryx_callout* done) {
  const std::unique_ptr<Callout> callout(static_cast<Callout*>(done));
  Link& link = *callout->link;
  const std::lock_guard lock(link.mutex);
  if (link.queue != nullptr) link.queue->finish_callout(link.token);
}

// What a CUDA device cannot do, and what to do instead.
const char* limit_of(uint32_t kind) {
  switch (kind) {
    case FERRYX_FUNCTION:
    case FERRYX_KERNEL:
      return "a function of the host cannot play a kernel on a CUDA device: its code cannot touch "
             "device memory; use a CPU device (FERRY_DEVICES=cpu)";
    case FERRYX_WRITE_VALUE:
    case FERRYX_AWAIT_VALUE:
      return "streams of a CUDA device cannot write or await values in memory; use events, or a "
             "CPU device (FERRY_DEVICES=cpu)";
    case FERRYX_REDUCE:
      return "a CUDA device cannot combine arrays: Ferry has no kernel for it; use a CPU device "
             "(FERRY_DEVICES=cpu)";
    default:
      return nullptr;
  }
}

[[gnu::cold]] int refuse(uint32_t kind) {
  if (const char* limit = limit_of(kind)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s", limit);
  }
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "work of kind %u is unknown to the CUDA backend",
              kind);
}

}  // namespace

Callout::Callout(std::shared_ptr<Link> to_queue)
    : ferryx_callout{.done = finish}, link(std::move(to_queue)) {}

Queue::Queue(Line& line, Watcher& watcher, void* cookie)
    : line_(line), watcher_(watcher), cookie_(cookie), spans_(line) {}

Queue::~Queue() {
  drop_tasks(Waiters::kUntold);
  watcher_.forget(*this);
  // Work on the line writes the slots. A line that has failed writes no more.
  static_cast<void>(line_.synchronize());
  for (const Check& check : checks_)
    line_.give_back(check.slot);
  Lock lock(mutex_);
  spans_.report_passed(lock);
}

// ---- submitting ----

bool Queue::is_stopped() const {
  return services->before_work(cookie_) == FERRYX_STOP;
}

template <class Payload, class Copy>
int Queue::submit_now_or_later(const ferryx_work& work, const Payload& payload, Copy copy) {
  {
    const Lock lock = lock_soon(mutex_);
    if (held_.empty()) {
      const std::shared_lock memory(line_.memory_lock());
      if (is_resolved(work.epoch, payload)) {
        const Trouble trouble = is_stopped()           ? Trouble()
                                : spans_.is_observed() ? observed(work, copy)
                                                       : copy();
        passed_ = ++submitted_;
        return fail(trouble);
      }
    }
  }
  return submit_task(work);
}

template <class Copy>
Trouble Queue::observed(const ferryx_work& work, Copy copy) {
  spans_.start();
  Trouble trouble = copy();
  trouble.ok() ? end_span(work) : spans_.cancel();
  return trouble;
}

void Queue::end_span(const ferryx_work& work) {
  if (spans_.end(passed_ + 1, work.origin.correlation)) watcher_.post(*this);
}

int Queue::submit(const ferryx_work& work) {
  const ferryx_payload& as = work.as;
  if (work.kind == FERRYX_COPIES) {
    return submit_now_or_later(work, as.copies, [&] { return line_.copy(as.copies); });
  }
  if (work.kind == FERRYX_COLUMNS) {
    return submit_now_or_later(work, as.columns, [&] { return line_.copy_columns(as.columns); });
  }
  switch (work.kind) {
    case FERRYX_ROWS:
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
    case FERRYX_FILL:
    case FERRYX_CALLOUT:
    case FERRYX_MARK:
    case FERRYX_AWAIT:
    case FERRYX_SET_FLAG:
    case FERRYX_TAKE_FLAG:
      return submit_task(work);
    default:
      return refuse(work.kind);
  }
}

int Queue::submit_task(const ferryx_work& work) {
  auto task = std::make_unique<Task>(work);
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
  if (drops) discard(*task);
  return fail(trouble);
}

bool Queue::try_now(Task& task, Trouble& trouble) {
  switch (task.kind()) {
    case FERRYX_SET_FLAG:
    case FERRYX_TAKE_FLAG:
    case FERRYX_CALLOUT:
      return false;
    default:
      break;
  }
  spans_.start();
  if (!try_on_line(task, trouble)) return false;
  trouble.ok() ? end_span(task.work()) : spans_.cancel();
  return true;
}

bool Queue::try_on_line(Task& task, Trouble& trouble) {
  if (task.kind() == FERRYX_AWAIT) return try_await(task, trouble);
  if (task.kind() == FERRYX_MARK) {
    trouble = record(task);
    return true;
  }
  if (checks_.size() >= kMostChecks) return false;
  const std::shared_lock memory(line_.memory_lock());
  if (!task.prepare().empty()) return false;  // reported when its turn comes
  trouble = hand_over(task);
  return true;
}

bool Queue::try_await(Task& task, Trouble& trouble) {
  Marker::State state = Marker::State::kWaiting;
  trouble = task.marker().ask(state);
  switch (state) {
    case Marker::State::kReached:
    case Marker::State::kDropped:
      return true;
    case Marker::State::kOnLine:
      if (task.payload().marker.timeout != FERRYX_FOREVER) return false;
      trouble = line_.await(task.marker().point());
      return true;
    case Marker::State::kFailed:
      // The work fails, not its submission: it is held until the progress thread reports it.
      return !held_.empty();
    case Marker::State::kWaiting:
      break;
  }
  return false;
}

Trouble Queue::record(const Task& task) {
  std::unique_ptr<Point> point;
  Trouble trouble = line_.record(point);
  if (trouble.ok()) {
    task.marker().set_point(std::move(point));
  } else {
    task.marker().drop();  // so that no thread or queue waits for it forever
  }
  return trouble;
}

Trouble Queue::hand_over(const Task& task) {
  switch (task.kind()) {
    case FERRYX_COPIES:
      return line_.copy(task.payload().copies);
    case FERRYX_ROWS:
      return line_.copy_2d(task.payload().rows);
    case FERRYX_FILL:
      return line_.fill(task.payload().fill);
    default:
      return hand_over_checked(task);
  }
}

Trouble Queue::hand_over_checked(const Task& task) {
  FaultSlot* slot = nullptr;
  Trouble trouble = line_.take_slot(slot);
  if (!trouble.ok()) return trouble;
  trouble = task.kind() == FERRYX_DESCRIBED
                ? line_.copy_described(task.payload().described.descriptor, slot)
                : line_.copy_indirect(task.payload().indirect, slot);
  if (!trouble.ok()) {
    line_.give_back(slot);
    return trouble;
  }
  checks_.push_back({.work = WorkClone(task.work()), .slot = slot, .place = passed_ + 1});
  if (checks_.size() == 1) watcher_.post(*this);
  return {};
}

void Queue::observe(ferryx_observer observer, void* argument) {
  Lock lock = lock_soon(mutex_);
  spans_.observe(lock, observer, argument);
}

// ---- waiting ----

int Queue::query(bool& is_done) {
  Lock lock = lock_soon(mutex_);
  is_done = false;
  if (!held_.empty()) return ACL_RT_SUCCESS;
  const uint64_t target = passed_;
  bool is_idle = false;
  const Trouble trouble = line_.query(is_idle);
  if (is_idle) {
    collect_checks(lock, target);
    spans_.report_passed(lock);
  }
  is_done = is_idle && held_.empty() && reporters_ == 0 && !spans_.has_some(target);
  lock.unlock();
  return fail(trouble);
}

int Queue::synchronize(int64_t timeout) {
  const Clock::time_point deadline = deadline_after(timeout);
  Lock lock = lock_soon(mutex_);
  const Wait wait{.target = submitted_, .aborts = aborts_};
  if (!wait_for_hand_over(lock, wait, deadline)) return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
  if (aborts_ != wait.aborts) return ACL_ERROR_RT_STREAM_ABORT;
  // All awaited work was handed over: work that has no check or span by now gets none later.
  const bool has_reports = !checks_.empty() || reporters_ > 0 || spans_.has_some(wait.target);
  lock.unlock();
  bool is_late = false;
  const Trouble trouble = wait_for_line(wait, deadline, is_late);
  if (has_reports) {
    lock.lock();
    if (!is_late) {
      collect_checks(lock, wait.target);
      spans_.report_up_to(lock, wait.target);
    }
    changed_.wait(lock, [&] { return reporters_ == 0; });
    lock.unlock();
  }
  if (aborts_ != wait.aborts) return ACL_ERROR_RT_STREAM_ABORT;
  if (!trouble.ok()) return fail(trouble);
  return is_late ? ACL_ERROR_RT_STREAM_SYNC_TIMEOUT : ACL_RT_SUCCESS;
}

// Returns false after the deadline.
bool Queue::wait_for_hand_over(Lock& lock, const Wait& wait, Clock::time_point deadline) {
  const auto is_over = [&] { return passed_ >= wait.target || aborts_ != wait.aborts; };
  if (is_over()) return true;
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, is_over);
  changed_.wait(lock, is_over);
  return true;
}

Trouble Queue::wait_for_line(const Wait& wait, Clock::time_point deadline, bool& is_late) {
  if (deadline == Clock::time_point::max()) return line_.synchronize();
  // Polls a point: other threads may keep submitting, and then the line is never idle.
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

// With the lock. A queue that cannot be asked counts as busy.
bool Queue::is_idle() {
  bool is_line_idle = false;
  return held_.empty() && line_.query(is_line_idle).ok() && is_line_idle;
}

void Queue::drop_tasks(Waiters waiters) {
  std::deque<std::unique_ptr<Task>> dropped;
  std::unique_ptr<Task> started;  // a callout in progress: the host owns its argument
  std::shared_ptr<Link> link;
  {
    const Lock lock = lock_soon(mutex_);
    // An idle queue has nothing to abort: threads that still return from a wait have their work.
    if (waiters == Waiters::kAborted && !is_idle()) ++aborts_;
    spans_.cancel();
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
