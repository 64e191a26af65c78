// SPDX-License-Identifier: Apache-2.0
// The life of tasks in a queue. Every change of state happens under the queue's lock; whatever
// touches markers, flags, links, the engine or the runtime happens after it is released.
#include "backends/cpu/queue.h"

#include "backends/cpu/function_threads.h"
#include "backends/cpu/marker.h"

#include "acl/error_codes/rt_error_codes.h"

#include <atomic>
#include <optional>
#include <string>
#include <utility>

namespace ferry::cpu {
namespace {

std::atomic<uint64_t> next_number{0};

// The task's references to what it waits for or announces.
void let_go(Task& task) {
  if (task.marker != nullptr) std::exchange(task.marker, nullptr)->release();
  if (task.flag != nullptr) std::exchange(task.flag, nullptr)->release();
}

}  // namespace

void Link::finish() {
  const std::lock_guard lock(mutex);
  if (queue != nullptr) queue->resume(token);
}

Queue::Queue(Engine& engine, void* cookie)
    : engine_(engine),
      cookie_(cookie),
      number_(next_number.fetch_add(1, std::memory_order_relaxed)),
      allowed_(engine.schedule() == FERRYX_LAZY ? 0 : UINT64_MAX) {}

Queue::~Queue() {
  drop_tasks(Waiters::kUntold);
  {
    Lock lock(mutex_);
    wake_at_ = 0;
    changed_.wait(lock, [&] { return state_ == State::kIdle && visitors_ == 0; });
  }
  engine_.forget(*this);
}

// ---- submitting and waiting ----

std::unique_ptr<Task> Queue::new_task(TaskKind kind, const ferryx_task& origin) {
  std::unique_ptr<Task> task;
  {
    const std::lock_guard lock(mutex_);
    task = pool_.take();
  }
  task->kind = kind;
  task->origin = origin;
  task->is_prepared = false;
  return task;
}

uint64_t Queue::submit(std::unique_ptr<Task> task) {
  if (engine_.delays()) task->queued_at = Clock::now();
  News news;
  uint64_t sequence = 0;
  {
    const std::lock_guard lock(mutex_);
    sequence = ++submitted_;
    task->sequence = sequence;
    tasks_.push_back(task.release());
    if (state_ == State::kIdle) news = settle();
  }
  announce(news);
  return sequence;
}

bool Queue::is_done() {
  bool done = false;
  bool demanded = false;
  {
    const std::lock_guard lock(mutex_);
    done = finished_ == submitted_;
    unready_queries_ = done ? 0 : unready_queries_ + 1;
    demanded = unready_queries_ >= 2;
  }
  // Who asks a second time is waiting.
  if (demanded) allow_all();
  return done;
}

int Queue::wait_result(uint64_t target, uint64_t aborts) {
  const std::lock_guard lock(mutex_);
  if (aborts_ != aborts) return ACL_ERROR_RT_STREAM_ABORT;
  return finished_ >= target ? ACL_RT_SUCCESS : ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

int Queue::synchronize(int64_t timeout) {
  const Clock::time_point deadline = deadline_after(timeout);
  uint64_t target = 0;
  uint64_t aborts = 0;
  {
    const std::lock_guard lock(mutex_);
    target = submitted_;
    aborts = aborts_;
  }
  allow(target);
  const auto is_over = [&] {
    const std::lock_guard lock(mutex_);
    return finished_ >= target || aborts_ != aborts;
  };
  if (engine_.shuffles()) {
    engine_.run_until(is_over, deadline);
    return wait_result(target, aborts);
  }
  while (!is_over()) {
    const bool is_late = deadline != Clock::time_point::max() && Clock::now() >= deadline;
    if (is_late || (!run_some() && !wait_until_done(target, aborts, deadline))) break;
  }
  if (is_ready()) engine_.post(*this);
  return wait_result(target, aborts);
}

// False when the time is up.
bool Queue::wait_until_done(uint64_t target, uint64_t aborts, Clock::time_point deadline) {
  Lock lock(mutex_);
  wake_at_ = std::min(wake_at_, target);
  const auto is_over = [&] {
    // Another one who sleeps may have reset it.
    wake_at_ = std::min(wake_at_, target);
    return finished_ >= target || aborts_ != aborts;
  };
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, is_over);
  changed_.wait(lock, is_over);
  return true;
}

void Queue::wake_waiters() {
  if (finished_ < wake_at_) return;
  wake_at_ = UINT64_MAX;
  changed_.notify_all();
}

// ---- states ----

Queue::News Queue::settle() {
  if (tasks_.empty()) {
    finished_ = submitted_;
    state_ = State::kIdle;
  } else {
    finished_ = tasks_.front()->sequence - 1;
    state_ = tasks_.front()->sequence <= allowed_ ? State::kReady : State::kHeld;
  }
  wake_waiters();
  News news{.state = state_};
  if (state_ == State::kHeld || (state_ == State::kReady && engine_.shuffles())) {
    news.sequence = tasks_.front()->sequence;
    news.late_at = tasks_.front()->queued_at + kLongestDelay;
  }
  return news;
}

Queue::News Queue::complete_front() {
  std::unique_ptr<Task> task(tasks_.pop_front());
  let_go(*task);
  pool_.give_back(std::move(task));
  link_.reset();
  is_front_dropped_ = false;
  return settle();
}

void Queue::announce(const News& news) {
  if (news.late_at != Clock::time_point::max()) {
    engine_.allow_at(news.late_at, *this, news.sequence);
  }
  if (news.state == State::kReady) engine_.post(*this);
  if (engine_.shuffles()) engine_.note_change();
}

void Queue::finish_task() {
  News news;
  {
    const std::lock_guard lock(mutex_);
    news = complete_front();
  }
  announce(news);
}

bool Queue::is_ready() {
  const std::lock_guard lock(mutex_);
  return state_ == State::kReady || (state_ == State::kShared && !is_cut_);
}

void Queue::allow(uint64_t sequence) {
  News news;
  {
    const std::lock_guard lock(mutex_);
    if (sequence <= allowed_) return;
    allowed_ = sequence;
    if (state_ == State::kHeld) news = settle();
  }
  announce(news);
}

void Queue::allow_all() {
  uint64_t latest = 0;
  {
    const std::lock_guard lock(mutex_);
    latest = submitted_;
  }
  allow(latest);
}

void Queue::run_up_to(uint64_t sequence) {
  const auto is_due = [&] {
    const std::lock_guard lock(mutex_);
    return !tasks_.empty() && tasks_.front()->sequence <= sequence;
  };
  while (is_due() && run_some()) {
  }
}

// ---- running ----

bool Queue::run_some() {
  Task* task = nullptr;
  {
    Lock lock(mutex_);
    if (state_ == State::kShared) return run_shared_piece(lock);
    if (state_ != State::kReady) return false;
    state_ = State::kBusy;
    task = tasks_.front();
  }
  if (cookie_ != nullptr && host->before_task(cookie_) == FERRYX_STOP) {
    drop_tasks(Waiters::kUntold);
    discard(*task);
    finish_task();
    return true;
  }
  run_task(*task);
  return true;
}

bool Queue::run_shared_piece(Lock& lock) {
  const Task& task = *tasks_.front();
  Piece piece;
  if (is_cut_ ||
      !cut_piece(task, cursor_, engine_.shuffles() ? Cut::kByItem : Cut::kByCost, piece)) {
    is_cut_ = true;
    return false;
  }
  is_cut_ = is_at_end(task, cursor_);
  ++pieces_running_;
  const bool others_may_join = !is_cut_;
  lock.unlock();
  if (others_may_join) engine_.post(*this);
  run_piece(task, piece);
  lock.lock();
  News news;
  if (--pieces_running_ == 0 && is_cut_) news = complete_front();
  lock.unlock();
  announce(news);
  return true;
}

void Queue::run_task(Task& task) {
  switch (task.kind) {
    case TaskKind::kMark:
      task.marker->reach();
      return finish_task();
    case TaskKind::kSetFlag:
      task.flag->remove_setter(*this);
      task.flag->set();
      return finish_task();
    case TaskKind::kAwait:
    case TaskKind::kTakeFlag:
    case TaskKind::kCallout:
    case TaskKind::kFunction:
      return park(task);
    default:
      return run_work(task);
  }
}

void Queue::run_work(Task& task) {
  if (const std::string wrong = task.is_prepared ? std::string() : prepare(task); !wrong.empty()) {
    report(task, ACL_ERROR_RT_TS_ERROR, wrong.c_str());
    return finish_task();
  }
  if (engine_.shuffles()) {
    for (size_t i = task.copies.size(); i > 1; --i) {
      std::swap(task.copies[i - 1], task.copies[engine_.draw(i)]);
    }
  }
  if (is_at_end(task, {}) || (!engine_.shuffles() && cost_of(task) <= 2 * kPieceBytes)) {
    run_whole(task);
    return finish_task();
  }
  {
    const std::lock_guard lock(mutex_);
    cursor_ = {};
    is_cut_ = false;
    pieces_running_ = 0;
    state_ = State::kShared;
  }
  engine_.post(*this);
}

void Queue::report(const Task& task, int code, const char* text) {
  const ferryx_fault fault{.task = &task.origin, .code = code, .text = text};
  if (host->task_failed(cookie_, &fault) == FERRYX_STOP) drop_tasks(Waiters::kUntold);
}

// ---- parking ----

std::optional<uint64_t> Queue::begin_parking() {
  const std::lock_guard lock(mutex_);
  if (is_front_dropped_) return {};
  state_ = State::kParked;
  return ++token_;
}

std::shared_ptr<Link> Queue::make_link(uint64_t token) {
  auto link = std::make_shared<Link>();
  link->queue = this;
  link->token = token;
  const std::lock_guard lock(mutex_);
  if (token_ == token) {
    link_ = link;
  } else {
    link->queue = nullptr;  // dropped meanwhile: nobody waits for it
  }
  return link;
}

void Queue::park(Task& task) {
  // Copies: once the queue is parked, another thread may complete the task and reuse it.
  const TaskKind kind = task.kind;
  ferryx_marker* marker = task.marker;
  ferryx_flag* flag = task.flag;
  const int64_t timeout = task.timeout;
  const ferryx_callout_start start = task.start;
  const ferryx_device_function function = task.function;
  void* argument = task.argument;
  if (marker != nullptr) marker->retain();
  if (flag != nullptr) flag->retain();

  const std::optional<uint64_t> begun = begin_parking();
  if (!begun.has_value()) {
    discard(task);
    finish_task();
  } else if (kind == TaskKind::kCallout) {
    start(argument, new ferryx_callout{make_link(*begun)});
  } else if (kind == TaskKind::kFunction) {
    start_function(function, argument, *begun);
  } else {
    park_on(marker, flag, timeout, *begun);
  }
  if (marker != nullptr) marker->release();
  if (flag != nullptr) flag->release();
}

void Queue::start_function(ferryx_device_function function, void* argument, uint64_t token) {
  if (run_device_function(function, argument, make_link(token))) return;
  function(argument, 0);
  fail_parked(token, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
              "there is no room for the thread of a device function");
}

void Queue::park_on(ferryx_marker* marker, ferryx_flag* flag, int64_t timeout, uint64_t token) {
  const bool is_parked = marker != nullptr ? marker->park(*this, token) : flag->park(*this, token);
  if (!is_parked) {
    resume(token);
  } else if (!is_parked_under(token)) {
    // Dropped before it was parked: nobody else will take it out again.
    if (marker != nullptr) marker->unpark(*this, token);
    if (flag != nullptr) flag->unpark(*this, token);
  } else if (timeout != FERRYX_FOREVER) {
    engine_.time_out_at(deadline_after(timeout), *this, token);
  }
}

bool Queue::is_parked_under(uint64_t token) {
  const std::lock_guard lock(mutex_);
  return state_ == State::kParked && token_ == token;
}

bool Queue::resume(uint64_t token) {
  News news;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kParked || token_ != token) return false;
    ++visitors_;
    news = complete_front();
  }
  announce(news);
  const std::lock_guard lock(mutex_);
  if (--visitors_ == 0) changed_.notify_all();
  return true;
}

void Queue::fail_parked(uint64_t token, int code, const char* text) {
  Task* task = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kParked || token_ != token) return;
    state_ = State::kBusy;
    task = tasks_.front();
  }
  unpark(*task, token);
  report(*task, code, text);
  finish_task();
}

void Queue::unpark(const Task& task, uint64_t token) {
  if (task.marker != nullptr) task.marker->unpark(*this, token);
  if (task.flag != nullptr) task.flag->unpark(*this, token);
}

// ---- dropping ----

void Queue::drop_tasks(Waiters waiters) {
  TaskList dropped;
  std::shared_ptr<Link> link;
  std::unique_ptr<Task> was_parked;
  uint64_t token = 0;
  News news;
  {
    const std::lock_guard lock(mutex_);
    if (waiters == Waiters::kAborted) {
      ++aborts_;
      changed_.notify_all();
    }
    if (state_ == State::kShared) is_cut_ = true;
    if (state_ == State::kBusy) is_front_dropped_ = true;
    if (state_ == State::kParked) {
      was_parked.reset(tasks_.pop_front());
      link = std::move(link_);
      token = token_++;
    }
    const bool front_runs =
        state_ == State::kBusy || (state_ == State::kShared && pieces_running_ > 0);
    dropped = front_runs ? tasks_.split_after_front() : std::move(tasks_);
    if (!front_runs) news = settle();
  }
  if (link != nullptr) {
    const std::lock_guard lock(link->mutex);
    link->queue = nullptr;
  }
  if (was_parked != nullptr) {
    unpark(*was_parked, token);
    let_go(*was_parked);
  }
  while (!dropped.empty()) {
    const std::unique_ptr<Task> task(dropped.pop_front());
    discard(*task);
    let_go(*task);
  }
  announce(news);
}

void Queue::discard(Task& task) {
  switch (task.kind) {
    case TaskKind::kMark:
      return task.marker->drop();
    case TaskKind::kSetFlag:
      return task.flag->remove_setter(*this);
    case TaskKind::kCallout:
      return task.start(task.argument, nullptr);
    case TaskKind::kFunction:
      return task.function(task.argument, 0);
    default:
      return;
  }
}

}  // namespace ferry::cpu
