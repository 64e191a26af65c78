// SPDX-License-Identifier: Apache-2.0
// The life of tasks in a queue: submitted, run, finished or dropped. Every state change happens
// under the queue's lock. Calls to markers, flags, links, the engine or the runtime are made after
// it is released. Waiting for something outside the queue: queue_parking.cpp. Tasks that fail:
// queue_faults.cpp. Tasks that are dropped: queue_dropping.cpp.
#include "backends/cpu/queue.h"

#include "backends/cpu/marker.h"
#include "backends/cpu/stream_copy.h"
#include "backends/cpu/value_watch.h"
#include "base/fault_trap.h"
#include "base/helping.h"
#include "base/pause.h"
#include "base/program_wait.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <atomic>
#include <new>
#include <string>
#include <utility>

namespace ferry::cpu {
namespace {

std::atomic<uint64_t> next_number{0};

// Whether a task of this kind only waits for something outside the queue.
bool is_wait(uint32_t kind) {
  return kind == FERRYX_AWAIT || kind == FERRYX_TAKE_FLAG || kind == FERRYX_CALLOUT ||
         kind == FERRYX_FUNCTION || kind == FERRYX_KERNEL || kind == FERRYX_AWAIT_VALUE;
}

// Whether executing the task, or beginning its wait, takes less time than waking a thread.
bool takes_a_moment(const Task& task) {
  switch (task.kind) {
    case FERRYX_MARK:
      return true;
    case FERRYX_AWAIT:
    case FERRYX_SET_FLAG:
    case FERRYX_TAKE_FLAG:
      return is_help_wanted();  // otherwise a copy thread is likely to be about already
    case FERRYX_CALLOUT:
      return (task.epoch & kPromptCallout) != 0;
    default:
      return false;
  }
}

// Short enough for a string without heap.
constexpr char kNoMemory[] = "no host memory";

// What is wrong with a task; the text is empty when nothing is.
struct Verdict {
  bool is_good() const { return text.empty(); }

  int code = ACL_SUCCESS;
  std::string text;
};

// The most small tasks taken at a time.
constexpr uint32_t kMostSmallTasks = 64;

// Validates the task. A lack of memory on the way fails the task, not the thread.
Verdict judge(Task& task) {
  if (task.is_prepared) return {};
  try {
    return {.code = ACL_ERROR_RT_TS_ERROR, .text = prepare(task)};
  } catch (const std::bad_alloc&) {
    return {.code = ACL_ERROR_RT_MEMORY_ALLOCATION, .text = kNoMemory};
  }
}

// The queue that the calling thread waits for and runs, or submits a lane to: under the schedule
// lazy, and where waiting threads help along. The thread itself takes the next task it makes ready
// there: waking a copy thread would cost more than a small copy.
thread_local sync::PerThread<const Queue*> helped = nullptr;

// Whether the thread is in run_quick_front.
thread_local sync::PerThread<bool> runs_front = false;

}  // namespace

Queue::Queue(Engine& engine, void* cookie, Delay delay)
    : engine_(engine),
      cookie_(cookie),
      number_(next_number.fetch_add(1, std::memory_order_relaxed)),
      is_prompt_(delay == Delay::kPrompt),
      allowed_(engine.schedule() == FERRYX_LAZY && !is_prompt_ ? 0 : UINT64_MAX) {
  engine.prepare(*this);
}

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

uint64_t Queue::submit(const ferryx_work& work) {
  if (is_quick_to_adopt(work)) {
    Lock lock = lock_soon(mutex_);
    std::unique_ptr<Task> task = pool_.take(1);
    task->adopt(work);
    return push(lock, std::move(task));
  }
  // Without the lock: adopting many items, or capturing source bytes, takes long.
  std::unique_ptr<Task> task;
  {
    const Lock lock = lock_soon(mutex_);
    task = pool_.take(count_items(work));
  }
  task->adopt(work);
  return submit(std::move(task));
}

uint64_t Queue::submit(std::unique_ptr<Task> task) {
  Lock lock = lock_soon(mutex_);
  return push(lock, std::move(task));
}

uint64_t Queue::enlist(std::unique_ptr<Task> task) {
  if (engine_.delays()) task->queued_at = Clock::now();
  const uint64_t sequence = submitted_.load(std::memory_order_relaxed) + 1;
  task->sequence = sequence;
  small_tail_ = is_small(*task) ? small_tail_ + 1 : 0;
  tasks_.push_back(task.release());
  submitted_.store(sequence, std::memory_order_release);
  return sequence;
}

uint64_t Queue::push(Lock& lock, std::unique_ptr<Task> task) {
  const bool is_brief = takes_a_moment(*task);
  const uint64_t sequence = enlist(std::move(task));
  News news;
  const bool was_halted = is_halted();
  if (was_halted) is_halted_.store(false, std::memory_order_release);
  if (state_ == State::kIdle || (was_halted && state_ == State::kHeld)) {
    unready_queries_ = 0;
    news = settle();
  }
  lock.unlock();
  // In an idle queue it is executed at once: waking a copy thread would cost far more.
  const bool runs_here = is_brief && news.state == State::kReady && !engine_.delays();
  if (!runs_here || run_some() == Ran::kNothing) announce(news);
  return sequence;
}

bool Queue::is_done() {
  bool done = false;
  bool demanded = false;
  {
    const Lock lock = lock_soon(mutex_);
    done = tasks_.empty();
    unready_queries_ = done ? 0 : unready_queries_ + 1;
    demanded = unready_queries_ >= 2;
  }
  // A second query in a row means that the caller is waiting.
  if (demanded) allow_all();
  return done;
}

bool Queue::is_over(const Wait& wait) const {
  const uint64_t finished = finished_.load(std::memory_order_acquire);
  return finished >= wait.target || finished >= end_of(wait);
}

// The last task that it waits for.
uint64_t Queue::end_of(const Wait& wait) const {
  if (aborts_.load(std::memory_order_acquire) == wait.aborts) return wait.target;
  return std::min(wait.target, running_at_abort_.load(std::memory_order_relaxed));
}

int Queue::synchronize(int64_t timeout) {
  const Wait wait{.target = submitted_.load(std::memory_order_acquire),
                  .aborts = aborts_.load(std::memory_order_acquire)};
  const auto is_over_now = [&] { return is_over(wait); };
  if (is_over_now()) return ACL_RT_SUCCESS;
  if (is_halted()) return ACL_ERROR_RT_STREAM_ABORT;
  const Clock::time_point deadline = deadline_after(timeout);
  if (engine_.shuffles()) {
    engine_.run_until(is_over_now, deadline);
  } else {
    help_until_over(wait, deadline);
  }
  if (!is_over_now()) return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
  const bool is_aborted = aborts_.load(std::memory_order_acquire) != wait.aborts;
  return is_aborted ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS;
}

void Queue::help_until_over(const Wait& wait, Clock::time_point deadline) {
  const auto is_over_now = [&] { return is_over(wait); };
  const Helping helping(*this);
  allow(wait.target);
  while (!is_over_now()) {
    const bool is_late = deadline != Clock::time_point::max() && Clock::now() >= deadline;
    if (is_late) break;
    if (run_some() != Ran::kNothing || run_awaited(0) || help_along()) continue;
    if (poll_for_a_while(is_over_now)) continue;
    if (!sleep_until_over(wait, deadline)) break;
  }
}

Queue::Helping::Helping(Queue& queue)
    : queue_(queue),
      runs_all_(queue.engine_.schedule() == FERRYX_LAZY || is_help_wanted()),
      before_(helped) {
  if (runs_all_) helped = &queue;
}

// The thread posted no ready task of the queue while it helped; post what it leaves behind.
Queue::Helping::~Helping() {
  helped = before_;
  if (runs_all_ && queue_.is_ready()) queue_.engine_.post(queue_);
}

// False on a timeout.
bool Queue::sleep_until_over(const Wait& wait, Clock::time_point deadline) {
  const ProgramWait program_wait;
  Lock lock(mutex_);
  const auto is_over_now = [&] {
    // A wake-up for another sleeper may have reset it, and an abort may have come.
    wake_at_ = std::min(wake_at_, end_of(wait));
    return is_over(wait);
  };
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, is_over_now);
  changed_.wait(lock, is_over_now);
  return true;
}

void Queue::wake_waiters() {
  if (finished_.load(std::memory_order_relaxed) < wake_at_) return;
  wake_at_ = UINT64_MAX;
  changed_.notify_all();
}

// ---- states ----

Queue::News Queue::settle() {
  if (memory_use_.is_begun()) memory_use_.end();
  if (tasks_.empty()) {
    finished_.store(submitted_.load(std::memory_order_relaxed), std::memory_order_release);
    state_ = State::kIdle;
    has_times_ = is_observed();
  } else {
    finished_.store(tasks_.front()->sequence - 1, std::memory_order_release);
    const bool may_run = tasks_.front()->sequence <= allowed_ && !is_halted();
    state_ = may_run ? State::kReady : State::kHeld;
  }
  wake_waiters();
  return news();
}

Queue::News Queue::news() const {
  News news{.state = state_, .is_listed = is_listed_.load(std::memory_order_relaxed)};
  // Shuffle: the pieces of a task that has begun are delayed like a task that has not.
  const bool waits_for_chance =
      engine_.shuffles() && (state_ == State::kReady || state_ == State::kShared);
  if ((state_ == State::kHeld && !is_halted()) || waits_for_chance) {
    news.sequence = tasks_.front()->sequence;
    news.late_at = tasks_.front()->queued_at + kLongestDelay;
  }
  return news;
}

Queue::News Queue::complete(Task* last) {
  if (has_times_) note_spans(last);
  pool_.give_back(tasks_.take_through(last, std::exchange(running_, 0)));
  link_.reset();
  is_front_dropped_ = false;
  return settle();
}

Queue::News Queue::complete_front() {
  tasks_.front()->let_go();
  return complete(tasks_.front());
}

void Queue::announce(const News& news) {
  if (news.late_at != Clock::time_point::max()) engine_.look_at(news.late_at, *this);
  if (news.state == State::kReady && !news.is_listed && helped != this) engine_.post(*this);
  if (engine_.shuffles()) engine_.note_change();
  if (is_observed()) report_spans();
}

void Queue::finish(Task* last) {
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    news = complete(last);
  }
  announce(news);
}

void Queue::finish_front() {
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    news = complete_front();
  }
  announce(news);
}

bool Queue::is_ready() {
  const Lock lock = lock_soon(mutex_);
  return state_ == State::kReady || (state_ == State::kShared && has_piece());
}

// ---- running ----

Queue::Ran Queue::run_some() {
  Task* task = nullptr;
  uint32_t small_tasks = 0;
  {
    Lock lock = lock_soon(mutex_);
    if (state_ == State::kShared) return run_shared_piece(lock);
    if (state_ != State::kReady) return Ran::kNothing;
    state_ = State::kBusy;
    task = tasks_.front();
    small_tasks = count_small_tasks();
    running_ = std::max(small_tasks, 1u);
  }
  if (small_tasks > 0) {
    run_small_tasks(task, small_tasks);
    return small_tasks < kMostSmallTasks ? Ran::kLittle : Ran::kMuch;
  }
  engine_.stop_watching();
  if (is_stopped()) {
    drop_tasks(Waiters::kUntold);
    discard(*task);
    finish_front();
    return Ran::kMuch;
  }
  if (is_observed()) task->begun_at = Clock::now();
  run_task(*task);
  return Ran::kMuch;
}

bool Queue::is_front_quick() {
  const Lock lock = lock_soon(mutex_);
  if (state_ != State::kReady) return false;
  switch (tasks_.front()->kind) {
    case FERRYX_MARK:
    case FERRYX_SET_FLAG:
    case FERRYX_AWAIT:
    case FERRYX_TAKE_FLAG:
    case FERRYX_CALLOUT:
      return true;
    default:
      return is_small(*tasks_.front());
  }
}

// The last task of a lane may start another lane: a loop in a model would use up the stack. So the
// inner lane is left to the copy threads.
void Queue::run_quick_front() {
  const Queue* const helped_before = helped;
  helped = this;
  if (!runs_front) {
    runs_front = true;
    while (is_front_quick())
      run_some();
    runs_front = false;
  }
  helped = helped_before;
  // This thread posted no ready task of the queue meanwhile; post what it leaves behind.
  if (is_ready()) engine_.post(*this);
}

// Small copies are taken many at a time, so that the executing and the submitting thread seldom
// contend for the lock. Only the first task is read here: the others are still in the caches of
// another core.
uint32_t Queue::count_small_tasks() const {
  const Task& first = *tasks_.front();
  if (engine_.shuffles() || !is_small(first)) return 0;
  if (first.sequence + small_tail_ <= submitted_.load(std::memory_order_relaxed)) {
    return is_prompt_ ? count_small_tasks_from(first) : 1;
  }
  const uint64_t allowed = allowed_ - first.sequence + 1;
  return static_cast<uint32_t>(
      std::min({uint64_t{tasks_.size()}, allowed, uint64_t{kMostSmallTasks}}));
}

// For a queue whose tasks are submitted together, by a thread that is done with them.
uint32_t Queue::count_small_tasks_from(const Task& first) {
  uint32_t count = 1;
  const Task* next = first.next;
  while (count < kMostSmallTasks && next != nullptr && is_small(*next)) {
    ++count;
    next = next->next;
  }
  return count;
}

bool Queue::is_stopped() const {
  return cookie_ != nullptr && services->before_work(cookie_) == FERRYX_STOP;
}

void Queue::run_small_tasks(Task* first, uint32_t count) {
  // Asked once for all of them: a stop requested meanwhile may as well take effect a moment later.
  bool drops = is_stopped();
  if (drops) drop_tasks(Waiters::kUntold);
  const bool notes_times = is_observed();
  memory_use_.begin();
  Task* task = first;
  for (uint32_t i = 0; i < count; ++i) {
    if (i > 0) task = task->next;
    if (notes_times && !drops) task->begun_at = Clock::now();
    if (!drops && !run_small_task(*task)) drops = is_stopped();
    if (notes_times) task->ended_at = Clock::now();
    task->let_go();
  }
  finish(task);
}

// False when the task failed.
bool Queue::run_small_task(Task& task) {
  const Verdict verdict = judge(task);
  if (verdict.is_good()) {
    const void* const fault = run_small(task);
    if (fault == nullptr) return true;
    report(task, ACL_ERROR_RT_TS_ERROR, not_accessible(fault).c_str());
  } else {
    report(task, verdict.code, verdict.text.c_str());
  }
  return false;
}

bool Queue::has_piece() const {
  return !is_cut_ && pieces_running_ < engine_.parallelism();
}

Queue::Ran Queue::run_shared_piece(Lock& lock) {
  Task& task = *tasks_.front();
  Piece piece;
  if (!has_piece()) return Ran::kNothing;
  if (!cut_piece(task, cursor_, engine_.shuffles() ? Cut::kByItem : Cut::kByCost, piece)) {
    is_cut_ = true;
    return Ran::kNothing;
  }
  is_cut_ = is_at_end(task, cursor_);
  ++pieces_running_;
  const bool others_may_join = has_piece();
  lock.unlock();
  engine_.stop_watching();
  if (others_may_join) engine_.post(*this);
  const void* const fault = run_piece(task, piece);
  lock = lock_soon(mutex_);
  if (fault != nullptr) {
    fault_ = fault;
    is_cut_ = true;
  }
  const bool is_last = --pieces_running_ == 0 && is_cut_;
  const bool has_failed = is_last && fault_ != nullptr;
  News news;
  if (has_failed) {
    state_ = State::kBusy;
  } else if (is_last) {
    news = complete_front();
  }
  lock.unlock();
  if (has_failed) {
    finish_failed(task, fault_);
  } else {
    announce(news);
  }
  return Ran::kMuch;
}

void Queue::run_task(Task& task) {
  switch (task.kind) {
    case FERRYX_MARK:
      task.marker()->reach();
      return finish_front();
    case FERRYX_SET_FLAG:
      task.flag()->remove_setter(*this);
      task.flag()->set();
      return finish_front();
    default:
      return is_wait(task.kind) ? park(task) : run_work(task);
  }
}

void Queue::run_work(Task& task) {
  // The submitter of a prepared task uses the memory itself.
  if (!task.is_prepared) memory_use_.begin();
  if (task.kind == FERRYX_WRITE_VALUE) forget_write(task);
  if (const Verdict verdict = judge(task); !verdict.is_good()) {
    report(task, verdict.code, verdict.text.c_str());
    return finish_front();
  }
  if (task.kind == FERRYX_WRITE_VALUE) {
    const void* const fault = value_watch().write(task.as.value);
    return fault == nullptr ? finish_front() : finish_failed(task, fault);
  }
  if (engine_.shuffles() && task.copies.is_changeable()) {
    const std::span<ferryx_copy> copies = task.copies.items();
    for (size_t i = copies.size(); i > 1; --i)
      std::swap(copies[i - 1], copies[engine_.draw(i)]);
  }
  const uint64_t cost = cost_of(task);
  task.bypasses_cache = cost > cache_size();
  if (is_at_end(task, {}) || (!engine_.shuffles() && cost <= kLeastShared)) {
    const void* const fault = run_whole(task);
    return fault == nullptr ? finish_front() : finish_failed(task, fault);
  }
  {
    const Lock lock = lock_soon(mutex_);
    cursor_ = {};
    is_cut_ = false;
    fault_ = nullptr;
    pieces_running_ = 0;
    state_ = State::kShared;
  }
  engine_.post(*this);
}

}  // namespace ferry::cpu
