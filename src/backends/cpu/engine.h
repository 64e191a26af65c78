// SPDX-License-Identifier: Apache-2.0
// The engine of one device: its copy threads, the queues that have something to run, and the clock
// for waits that end and work that may be late only so long. The three schedules differ in who runs
// a queue that could run:
//   eager    a copy thread, as soon as one is free, a few microseconds after it saw the task
//   lazy     a copy thread, once somebody waits for the task or it has been queued for 100 ms
//   shuffle  the program's own threads, inside their calls, in an order drawn from the seed; a copy
//            thread only for what has been queued for 100 ms
// Threads that synchronise run the copies they wait for in all three.
#pragma once

#include "backends/cpu/host.h"

#include "ferry/backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

namespace ferry::cpu {

class Queue;

// How late work may be under schedules that delay, so that programs that wait in ways the runtime
// cannot see still end.
constexpr std::chrono::milliseconds kLongestDelay{100};

struct EngineSettings {
  uint32_t device = 0;
  uint32_t threads = 1;
  uint32_t parallelism = 1;
  ferryx_schedule schedule = FERRYX_EAGER;
  uint64_t seed = 0;
};

// A small generator of our own, because those of <random> may differ between libraries and a seed
// has to mean the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t limit) { return next() % limit; }

 private:
  uint64_t state_;
};

// May be shared between threads; never destroyed. Locks are taken in the order marker, flag or
// link; then queue; then engine. The engine never holds its own while it calls a queue.
class Engine {
 public:
  explicit Engine(const EngineSettings& settings) : settings_(settings), random_(settings.seed) {}

  ferryx_schedule schedule() const { return settings_.schedule; }
  bool delays() const { return settings_.schedule != FERRYX_EAGER; }
  bool shuffles() const { return settings_.schedule == FERRYX_SHUFFLE; }
  // How many threads work on one task at a time, the program's own included.
  uint32_t parallelism() const { return settings_.parallelism; }

  // Starts the copy threads at the first use; 207005 when not even one can be.
  int start();

  // The queue has something a thread can take.
  void post(Queue& queue);

  // At `when`, or earlier, the queue looks for a task that has waited long enough to run whatever
  // the schedule says. Most tasks are gone by then: a queue has one such clock, set for the first
  // that asked.
  void look_at(Clock::time_point when, Queue& queue);
  // At `when`, the parking of the queue under `token` ends with a timeout.
  void time_out_at(Clock::time_point when, Queue& queue, uint64_t token);

  // The calling thread is about to do something that takes long: if it is the one that watches for
  // new work, somebody else has to.
  void stop_watching();

  // The queue is going away: returns when no thread of the engine knows it any more.
  void forget(Queue& queue);

  // ---- shuffle ----

  // To be called by every submission and query: runs as much, or as little, as the seed says.
  void run_by_chance();
  // Runs queues in the order of the seed until `is_done` says so or the time is up. False for that.
  bool run_until(const std::function<bool()>& is_done, Clock::time_point deadline);
  // Something has happened that a thread in run_until may be waiting for.
  void note_change();
  // A number of the seed's sequence below `limit`.
  uint64_t draw(uint64_t limit);

 private:
  enum class TimerKind { kLook, kTimeOut };
  struct Timer {
    Queue* queue;
    TimerKind kind;
    uint64_t token;  // of kTimeOut
  };
  using Lock = std::unique_lock<std::mutex>;

  void serve();
  // The first queue of the ready list, which is not empty. Whether it had much to run.
  bool serve_first(Lock& lock);
  bool has_ready() const { return first_ready_.load(std::memory_order_relaxed) != nullptr; }
  bool fire_one_timer(Lock& lock);
  // Waits for work for a while without sleeping, and leaves it to its submitter for a moment. False
  // when there is none for this thread: none came, or another thread watches.
  bool watch(Lock& lock);
  void sleep(Lock& lock);
  void wake_one();
  void add_timer(const Lock& lock, Clock::time_point when, const Timer& timer);
  // Calls `work` without the lock while forget() waits for its end.
  template <class Work>
  void with_queue(Lock& lock, Queue& queue, Work work);
  void list(Queue& queue);
  void unlist(Queue& queue);
  Queue* take_first();
  // Runs one thing of a queue drawn by the seed; false when none is ready.
  bool step();

  const EngineSettings settings_;
  std::atomic<bool> is_started_{false};

  // Cache lines: what every submission reads stands above, what it changes below, what a thread
  // polls by itself.
  //
  // Guards all that follows, and the members of queues that say so.
  alignas(64) std::mutex mutex_;
  Queue* last_ready_ = nullptr;
  uint32_t idle_threads_ = 0;  // asleep
  int patience_ = 1;           // of the thread that polls, once it has seen work
  bool is_watched_ = false;    // a thread polls, or does so again soon: it need not be woken

  // Eager and lazy: the queues that are ready, in turn. The first is read without the lock by the
  // thread that watches, only to learn that there is one.
  alignas(64) std::atomic<Queue*> first_ready_{nullptr};

  alignas(64) std::condition_variable work_;  // for copy threads: a queue is ready, or a timer new
  std::condition_variable released_;          // for forget: a thread has let go of a queue
  std::condition_variable change_;            // for run_until
  std::map<uint64_t, Queue*> ready_by_number_;  // shuffle: the ready ones, in an order that repeats
  std::multimap<Clock::time_point, Timer> timers_;
  uint32_t threads_ = 0;
  uint64_t changes_ = 0;
  Random random_;
};

}  // namespace ferry::cpu
