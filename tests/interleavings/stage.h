// SPDX-License-Identifier: Apache-2.0
// What scenarios are made of: streams whose tasks note what happens to them, and a host thread for
// their callouts.
#pragma once

#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "backends/cpu/value_watch.h"
#include "interleavings/relacy.h"

#include <array>
#include <cstdint>

namespace ferry::interleavings {

// Fails the run if something does not hold.
void require(bool holds, const char* what, Place at = Place::current());

// What value_watch() returns; set by the scenario.
extern cpu::ValueWatch* watch_of_run;

constexpr uint32_t kMostTasks = 4;
constexpr uint32_t kHalves = 2;  // a task writes its bytes in two halves; a shared one in pieces

// What happened to the tasks of a queue, numbered from 1. The bytes they write are variables that
// Relacy watches: a thread that reads them without an order between the two fails the run.
class Record {
 public:
  Record();
  void execute(uint32_t task);
  void execute(uint32_t task, uint32_t half);
  void drop(uint32_t task);
  // The calling thread relies on what the task wrote.
  void read(uint32_t task, Place at = Place::current());
  bool is_executed(uint32_t task) const;
  bool is_untouched(uint32_t task) const;
  bool is_dropped(uint32_t task) const { return tasks_[task].drops == 1; }

 private:
  struct Task {
    std::array<rl::var<uint32_t>, kHalves> bytes;
    std::array<uint32_t, kHalves> executions{};
    uint32_t drops = 0;
  };
  std::array<Task, kMostTasks + 1> tasks_;
  uint32_t latest_ = 0;  // the latest task that was executed
};

// The thread that executes host functions: here one of the program's.
class HostThread {
 public:
  // Hands over a callout that has started; nullptr when it was dropped.
  void give(ferryx_callout* callout);
  // Waits for the callout, and finishes it.
  void serve();

 private:
  cpu::sync::Mutex mutex_;  // guards what follows
  cpu::sync::Condition changed_;
  bool is_given_ = false;
  ferryx_callout* callout_ = nullptr;
};

// A queue with its record. Its functions submit a task as the slots of the backend do, and return
// its number.
class Stream {
 public:
  explicit Stream(cpu::Engine& engine) : queue_(engine, this) {}

  cpu::Queue& queue() { return queue_; }
  Record& record() { return record_; }

  uint32_t copy();
  // A copy that is cut into two pieces.
  uint32_t copy_much();
  // A host function, which `host` executes; nullptr: the thread that starts it.
  uint32_t call(HostThread* host = nullptr);
  void mark(ferryx_marker& marker);
  void await(ferryx_marker& marker);
  void set(ferryx_flag& flag);
  void take(ferryx_flag& flag);
  void store(uint64_t& value);
  // Waits until it is not 0.
  void await(uint64_t& value);
  // How many of its tasks have failed.
  uint32_t failures() const { return failures_; }
  void note_failure() { ++failures_; }
  int synchronise() { return queue_.synchronize(FERRYX_FOREVER); }

 private:
  struct HostCall {
    Record* record = nullptr;
    uint32_t task = 0;
    HostThread* host = nullptr;
  };
  static void start_call(void* argument, ferryx_callout* callout);
  uint32_t copy(uint64_t size);
  uint64_t submit(ferryx_work& work);

  Record record_;
  std::array<HostCall, kMostTasks + 1> calls_;
  uint32_t tasks_ = 0;
  uint32_t failures_ = 0;
  cpu::Queue queue_;  // last: its destructor drops tasks, which is recorded
};

}  // namespace ferry::interleavings
