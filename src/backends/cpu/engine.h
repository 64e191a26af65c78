// SPDX-License-Identifier: Apache-2.0
// The engine of one device: its copy threads, the queues that have something to run, and the timers
// for waits with a time limit and for delayed work. The three schedules differ in which thread runs
// a ready queue:
//   eager    a copy thread, as soon as one is free, a few microseconds after it saw the task; a
//            mark in an idle queue: the thread that submits it
//   lazy     a copy thread, once a thread waits for the task or it has been queued for 100 ms
//   shuffle  the program's own threads, inside their calls, in an order drawn from the seed; a copy
//            thread only for what has been queued for 100 ms
// Threads that synchronise run the copies they wait for in all three.
#pragma once

#include "backends/cpu/services.h"
#include "backends/cpu/sync.h"
#include "base/random.h"

#include "ferry/backend.h"

#include <cstdint>
#include <functional>
#include <map>

namespace ferry::cpu {

class Queue;

enum class TimerKind { kLook, kTimeOut };
struct Timer {
  Queue* queue;
  TimerKind kind;
  uint64_t token;  // of kTimeOut
};
using Timers = std::multimap<Clock::time_point, Timer>;
using ReadyByNumber = std::map<uint64_t, Queue*>;

// The longest delay of work under schedules that delay, so that programs that wait in ways
// invisible to the runtime still make progress.
constexpr std::chrono::milliseconds kLongestDelay{100};

struct EngineSettings {
  uint32_t device = 0;
  uint32_t threads = 1;
  uint32_t parallelism = 1;
  ferryx_schedule schedule = FERRYX_EAGER;
  uint64_t seed = 0;
};

// May be shared between threads; never destroyed. Lock order: marker, flag or link; then queue;
// then engine. The engine never holds its own lock while it calls a queue.
class Engine {
 public:
  explicit Engine(const EngineSettings& settings) : settings_(settings), random_(settings.seed) {}

  ferryx_schedule schedule() const { return settings_.schedule; }
  bool delays() const { return settings_.schedule != FERRYX_EAGER; }
  bool shuffles() const { return settings_.schedule == FERRYX_SHUFFLE; }
  // The number of threads that work on one task at a time, including the program's own.
  uint32_t parallelism() const { return settings_.parallelism; }

  // Starts the copy threads on first use; 207005 when not even one can be started.
  int start();

  // Gives a new queue its entries for the lists below: listing it needs no memory then, which could
  // be short when its tasks are queued already.
  void prepare(Queue& queue);

  // The queue has something a thread can take.
  void post(Queue& queue);

  // At `when`, or earlier, the queue checks for a task that has been delayed long enough to run
  // under any schedule. Most tasks are gone by then: a queue has one such timer, armed by the first
  // request.
  void look_at(Clock::time_point when, Queue& queue);
  // At `when`, the parking of the queue under `token` ends with a timeout. May throw.
  void time_out_at(Clock::time_point when, Queue& queue, uint64_t token);

  // The calling thread is about to do something that takes long: if it is the watcher for new work,
  // it gives up that role.
  void stop_watching();

  // The queue is being destroyed: returns when no thread of the engine refers to it any more.
  void forget(Queue& queue);

  // ---- shuffle ----

  // Called by every submission and query: runs as much, or as little, as the seed says.
  void run_by_chance();
  // Runs queues in the order of the seed until `is_done` returns true. False on a timeout.
  bool run_until(const std::function<bool()>& is_done, Clock::time_point deadline);
  // Something has happened that a thread in run_until may be waiting for.
  void note_change();
  // The next number of the seed's sequence, below `limit`.
  uint64_t draw(uint64_t limit);

 private:
  using Lock = sync::Lock;

  void serve();
  // Runs the first queue of the ready list, which is not empty. Returns whether it had much to run.
  bool serve_first(Lock& lock);
  bool has_ready() const { return first_ready_.load(std::memory_order_relaxed) != nullptr; }
  bool fire_one_timer(Lock& lock);
  // Polls for work for a while without sleeping, then leaves it to its submitter for a moment.
  // False when there is none for this thread: none came, or another thread watches.
  bool watch(Lock& lock);
  void sleep(Lock& lock);
  void wake_one();
  void add_timer(const Lock& lock, Timers::node_type timer);
  // Calls `work` without the lock; forget() waits for it to return.
  template <class Work>
  void with_queue(Lock& lock, Queue& queue, Work work);
  void list(Queue& queue);
  void unlist(Queue& queue);
  Queue* take_first();
  // Runs one step of a queue drawn by the seed; false when none is ready.
  bool step();

  const EngineSettings settings_;
  sync::Atomic<bool> is_started_{false};

  // Cache lines: members that every submission reads are above, those it changes below, and the
  // polled one is on its own.
  //
  // Protects all that follows, and the members of queues that say so.
  alignas(64) sync::Mutex mutex_;
  Queue* last_ready_ = nullptr;
  uint32_t idle_threads_ = 0;  // asleep
  int patience_ = 1;           // pauses of the watcher once it has seen work
  bool is_watched_ = false;    // a thread polls, or soon will again: no wake-up is needed

  // Eager and lazy: the ready queues, in turn. The watcher reads the first without the lock, only
  // to learn that there is one.
  alignas(64) sync::Atomic<Queue*> first_ready_{nullptr};

  alignas(64) sync::Condition work_;  // for copy threads: a queue is ready, or a new timer
  sync::Condition released_;          // for forget: a thread has left a queue
  sync::Condition change_;            // for run_until
  ReadyByNumber ready_by_number_;     // shuffle: the ready queues, reproducibly ordered
  Timers timers_;
  uint32_t threads_ = 0;
  uint64_t changes_ = 0;
  Random random_;
};

}  // namespace ferry::cpu
