// SPDX-License-Identifier: Apache-2.0
// What queues wait for: markers, reached once, and flags, set and taken repeatedly. A waiting queue
// is parked here and occupies no thread.
#pragma once

#include "backends/cpu/engine.h"
#include "backends/cpu/sync.h"
#include "backends/cpu/task.h"

#include "ferry/backend.h"

#include <cstdint>
#include <vector>

namespace ferry::cpu {

class Queue;

// A task in a queue that something may come to wait for.
struct QueuedTask {
  Queue* queue = nullptr;
  uint64_t sequence = 0;
};

}  // namespace ferry::cpu

// May be shared between threads. Counted: deleted with the last reference.
struct ferryx_marker {
 public:
  explicit ferryx_marker(ferry::cpu::Engine& engine) : engine_(engine) {}

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  // A task that will reach it has been queued.
  void set_source(const ferry::cpu::QueuedTask& source);
  void reach();
  // The task that would have reached it was dropped: ends all waits.
  void drop();
  // It will never be reached: work that waits for it fails with the code.
  void fail(int code);

  // True when the queue is parked now, false when the marker was already reached, dropped or
  // failed. Takes the entry, a list of one.
  bool park(ferry::cpu::ParkedQueues& entry);
  void unpark(ferry::cpu::Queue& queue, uint64_t token);

  // Runs something that must run before the marker is reached, through a limited chain of queues
  // that wait for each other. False when there was nothing to run.
  bool run_source(int depth);

  bool query();
  // The code of fail(); 0 when it has not failed.
  int failure();
  // 0, 507047, 107023 or the code of fail().
  int synchronize(int64_t timeout);
  uint64_t nanoseconds();

 private:
  enum class State { kWaiting, kReached, kDropped, kFailed };
  // The queue that will reach the marker, entered; nullptr when it is unknown.
  ferry::cpu::Queue* enter_source();
  void help(ferry::cpu::Clock::time_point deadline);
  bool is_over();
  void finish(State state);
  void end(State state);  // with the lock held
  void demand_source();   // with the lock held; under lazy: something waits, so let the source run

  ferry::cpu::Engine& engine_;
  ferry::cpu::sync::Atomic<uint32_t> references_{1};
  ferry::cpu::sync::Mutex mutex_;  // protects what follows; held while parked queues are resumed
  ferry::cpu::sync::Condition changed_;
  State state_ = State::kWaiting;
  int failure_ = 0;  // of kFailed
  uint64_t nanoseconds_ = 0;
  uint32_t unready_queries_ = 0;
  ferry::cpu::QueuedTask source_;
  ferry::cpu::ParkedQueues parked_;
};

// May be shared between threads. Counted: deleted with the last reference.
struct ferryx_flag {
 public:
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  // A task of this queue that will set the flag is about to be queued; such a task is done.
  void add_setter(ferry::cpu::Queue& queue);
  void remove_setter(ferry::cpu::Queue& queue);
  // Under lazy: if a queue is parked, those that will set the flag must run.
  void demand_setters();

  // Sets it, or hands it to the first parked queue.
  void set();
  void clear();
  // True when the queue is parked now, false when it has taken the flag. Takes the entry.
  bool park(ferry::cpu::ParkedQueues& entry);
  void unpark(ferry::cpu::Queue& queue, uint64_t token);

 private:
  ferry::cpu::sync::Atomic<uint32_t> references_{1};
  ferry::cpu::sync::Mutex mutex_;  // protects what follows; held while parked queues are resumed
  bool is_set_ = false;
  ferry::cpu::ParkedQueues parked_;
  std::vector<ferry::cpu::Queue*> setters_;  // one entry per task
};
