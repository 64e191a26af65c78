// SPDX-License-Identifier: Apache-2.0
// Copy threads, the ready list, timers, and the random order of shuffle.
#include "backends/cpu/engine.h"

#include "backends/cpu/queue.h"
#include "base/pause.h"
#include "base/program_wait.h"
#include "base/thread.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>

namespace ferry::cpu {
namespace {

// Tasks of one queue that a thread runs before it turns to other queues.
constexpr int kTurn = 16;

// How long a thread that saw work leaves it to its submitter, in pauses of the processor: some
// microseconds. A thread that submits and synchronises at once has the bytes in its core's caches
// and finishes sooner alone. If it submits more, a copy thread takes many tasks at a time. The
// back-off doubles after each time the copy thread found nothing to run.
constexpr int kShortestPatience = 128;
constexpr int kLongestPatience = 2048;

// Whether the calling thread is its engine's watcher. Only copy threads ever are.
thread_local sync::PerThread<bool> thread_watches = false;

}  // namespace

int Engine::start() {
  if (is_started_.load(std::memory_order_acquire)) return ACL_SUCCESS;
  const Lock lock = lock_soon(mutex_);
  if (threads_ > 0) return ACL_SUCCESS;
  for (uint32_t i = 0; i < settings_.threads; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "ferry-copy-%u.%u", settings_.device, i);
    const Status started = start_thread(name, [this] { serve(); });
    // Fewer threads than requested are slower, not wrong.
    if (!started.ok() && threads_ == 0) return started.code();
    if (!started.ok()) break;
    ++threads_;
  }
  is_started_.store(true, std::memory_order_release);
  return ACL_SUCCESS;
}

void Engine::list(Queue& queue) {
  if (queue.is_listed_.load(std::memory_order_relaxed)) return;
  queue.is_listed_.store(true, std::memory_order_relaxed);
  if (shuffles()) {
    ready_by_number_.insert(std::move(queue.ready_entry_));
    return;
  }
  queue.next_ready_ = nullptr;
  if (first_ready_.load(std::memory_order_relaxed) == nullptr) {
    first_ready_.store(&queue, std::memory_order_relaxed);
  } else {
    last_ready_->next_ready_ = &queue;
  }
  last_ready_ = &queue;
}

Queue* Engine::take_first() {
  Queue* queue = first_ready_.load(std::memory_order_relaxed);
  if (queue == nullptr) return nullptr;
  first_ready_.store(queue->next_ready_, std::memory_order_relaxed);
  if (queue->next_ready_ == nullptr) last_ready_ = nullptr;
  queue->is_listed_.store(false, std::memory_order_relaxed);
  return queue;
}

void Engine::post(Queue& queue) {
  const Lock lock = lock_soon(mutex_);
  list(queue);
  if (shuffles()) {
    ++changes_;
    change_.notify_all();
  } else {
    wake_one();
  }
}

void Engine::wake_one() {
  if (idle_threads_ > 0 && !is_watched_) work_.notify_one();
}

void Engine::prepare(Queue& queue) {
  if (!delays()) return;
  Timers clock;
  clock.emplace(Clock::time_point(), Timer{.queue = &queue, .kind = TimerKind::kLook, .token = 0});
  queue.clock_entry_ = clock.extract(clock.begin());
  if (!shuffles()) return;
  ReadyByNumber ready;
  ready.emplace(queue.number(), &queue);
  queue.ready_entry_ = ready.extract(ready.begin());
}

void Engine::add_timer(const Lock& /*lock*/, Timers::node_type timer) {
  const auto added = timers_.insert(std::move(timer));
  if (added == timers_.begin()) work_.notify_one();
}

void Engine::look_at(Clock::time_point when, Queue& queue) {
  const Lock lock = lock_soon(mutex_);
  if (queue.clock_entry_.empty()) return;  // armed already
  queue.clock_entry_.key() = when;
  add_timer(lock, std::move(queue.clock_entry_));
}

void Engine::time_out_at(Clock::time_point when, Queue& queue, uint64_t token) {
  if (when == Clock::time_point::max()) return;
  Timers timer;
  timer.emplace(when, Timer{.queue = &queue, .kind = TimerKind::kTimeOut, .token = token});
  const Lock lock = lock_soon(mutex_);
  add_timer(lock, timer.extract(timer.begin()));
}

void Engine::forget(Queue& queue) {
  Lock lock(mutex_);
  // First wait for the threads, then remove the entries: a departing thread may still add some.
  released_.wait(lock, [&] { return queue.threads_inside_ == 0; });
  std::erase_if(timers_, [&](const auto& entry) { return entry.second.queue == &queue; });
  if (queue.is_listed_.load(std::memory_order_relaxed)) unlist(queue);
}

void Engine::unlist(Queue& queue) {
  queue.is_listed_.store(false, std::memory_order_relaxed);
  if (shuffles()) {
    queue.ready_entry_ = ready_by_number_.extract(queue.number());
    return;
  }
  Queue* before = nullptr;
  for (Queue* other = first_ready_.load(std::memory_order_relaxed); other != &queue;
       other = other->next_ready_) {
    before = other;
  }
  if (before == nullptr) {
    first_ready_.store(queue.next_ready_, std::memory_order_relaxed);
  } else {
    before->next_ready_ = queue.next_ready_;
  }
  if (last_ready_ == &queue) last_ready_ = before;
}

template <class Work>
void Engine::with_queue(Lock& lock, Queue& queue, Work work) {
  ++queue.threads_inside_;
  lock.unlock();
  work();
  const bool is_ready = queue.is_ready();
  lock = lock_soon(mutex_);
  if (is_ready) list(queue);
  if (--queue.threads_inside_ == 0) released_.notify_all();
}

bool Engine::serve_first(Lock& lock) {
  Queue* queue = take_first();
  if (has_ready()) wake_one();
  Queue::Ran ran = Queue::Ran::kNothing;
  bool ran_much = false;
  with_queue(lock, *queue, [&] {
    for (int i = 0; i < kTurn; ++i) {
      ran = queue->run_some();
      if (ran != Queue::Ran::kMuch) break;
      ran_much = true;
    }
  });
  const bool came_in_vain = !ran_much && ran == Queue::Ran::kNothing;
  patience_ = came_in_vain ? std::min(2 * patience_, kLongestPatience) : kShortestPatience;
  return ran_much;
}

bool Engine::fire_one_timer(Lock& lock) {
  if (timers_.empty() || timers_.begin()->first > Clock::now()) return false;
  Timers::node_type fired = timers_.extract(timers_.begin());
  const Timer timer = fired.mapped();
  if (timer.kind == TimerKind::kLook) timer.queue->clock_entry_ = std::move(fired);
  with_queue(lock, *timer.queue, [&] {
    if (timer.kind == TimerKind::kTimeOut) {
      timer.queue->fail_parked(timer.token, ACL_ERROR_RT_WAIT_TIMEOUT,
                               "what the stream waits for did not come in time");
    } else {
      timer.queue->look_for_late_task();
    }
  });
  return true;
}

void Engine::serve() {
  Lock lock(mutex_);
  bool is_busy = false;  // the last turn ran much: do not leave new work to its submitter
  for (;;) {
    if (fire_one_timer(lock)) continue;
    if (is_busy ? has_ready() : watch(lock)) {
      is_busy = serve_first(lock);
    } else if (!std::exchange(is_busy, false)) {
      sleep(lock);
    }
  }
}

bool Engine::watch(Lock& lock) {
  // Schedules that delay work do not watch for it. That also keeps this core out of the way of the
  // checker, which closes and opens pages: every core that runs the program must then be
  // interrupted.
  if (settings_.parallelism == 1 || delays()) return has_ready();
  const bool another_watches = is_watched_ && !thread_watches;
  if (another_watches) return false;
  is_watched_ = thread_watches = true;
  const int patience = patience_;
  lock.unlock();
  poll_for_a_while([&] { return has_ready(); });
  for (int i = 0; i < patience; ++i)
    pause_processor();
  lock = lock_soon(mutex_);
  if (has_ready()) return true;
  is_watched_ = thread_watches = false;
  return false;
}

void Engine::stop_watching() {
  if (!thread_watches) return;
  const Lock lock = lock_soon(mutex_);
  is_watched_ = thread_watches = false;
  if (has_ready()) wake_one();
}

void Engine::sleep(Lock& lock) {
  ++idle_threads_;
  if (timers_.empty()) {
    work_.wait(lock);
  } else {
    // A copy: the entry may be gone when the wait reads it again.
    const Clock::time_point next = timers_.begin()->first;
    work_.wait_until(lock, next);
  }
  --idle_threads_;
}

bool Engine::step() {
  Lock lock(mutex_);
  if (ready_by_number_.empty()) return false;
  auto drawn = ready_by_number_.begin();
  std::advance(drawn, static_cast<ptrdiff_t>(random_.below(ready_by_number_.size())));
  Queue& queue = *drawn->second;
  queue.ready_entry_ = ready_by_number_.extract(drawn);
  queue.is_listed_.store(false, std::memory_order_relaxed);
  with_queue(lock, queue, [&] { queue.run_some(); });
  return true;
}

void Engine::run_by_chance() {
  // Half of the calls run nothing; the others one, two, three ... steps, each half as often.
  while (draw(2) == 0 && step()) {
  }
}

bool Engine::run_until(const std::function<bool()>& is_done, Clock::time_point deadline) {
  for (;;) {
    uint64_t seen = 0;
    {
      const Lock lock = lock_soon(mutex_);
      seen = changes_;
    }
    if (is_done()) return true;
    if (deadline != Clock::time_point::max() && Clock::now() >= deadline) return false;
    if (step()) continue;
    const ProgramWait program_wait;
    Lock lock(mutex_);
    const auto has_changed = [&] { return changes_ != seen; };
    if (deadline == Clock::time_point::max()) {
      change_.wait(lock, has_changed);
    } else {
      change_.wait_until(lock, deadline, has_changed);
    }
  }
}

void Engine::note_change() {
  const Lock lock = lock_soon(mutex_);
  ++changes_;
  change_.notify_all();
}

uint64_t Engine::draw(uint64_t limit) {
  const Lock lock = lock_soon(mutex_);
  return random_.below(limit);
}

}  // namespace ferry::cpu
