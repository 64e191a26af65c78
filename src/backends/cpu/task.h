// SPDX-License-Identifier: Apache-2.0
// A task: one thing queued on a stream, with all it needs to run later.
#pragma once

#include "backends/cpu/host.h"

#include "ferry/backend.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ferry::cpu {

enum class TaskKind {
  kCopies,     // copies
  kCopy2d,     // rows
  kDescribed,  // descriptor; becomes copies when it runs
  kIndirect,   // indirect; becomes copies when it runs
  kFill,       // fill
  kMark,       // marker
  kAwait,      // marker, timeout
  kSetFlag,    // flag
  kTakeFlag,   // flag, timeout
  kCallout,    // start, argument
  kFunction,   // function, argument
};

// Plain data with one owner at a time: the submitter, then its queue. The vector keeps its room
// when a task is reused.
struct Task {
  TaskKind kind = TaskKind::kCopies;
  ferryx_task origin{};
  uint64_t sequence = 0;          // its place in the queue
  Clock::time_point queued_at{};  // only under schedules that delay
  bool is_prepared = false;       // its storage addresses hold: work that its submitter waits for
  bool bypasses_cache = false;    // it moves more than the caches hold

  std::vector<ferryx_copy> copies;
  std::unique_ptr<char[]> captured;  // the source bytes, taken at submission
  ferryx_copy_2d rows{};
  const void* descriptor = nullptr;
  ferryx_indirect_copy indirect{};
  ferryx_fill fill{};
  ferryx_marker* marker = nullptr;
  ferryx_flag* flag = nullptr;
  int64_t timeout = FERRYX_FOREVER;
  ferryx_callout_start start = nullptr;
  ferryx_device_function function = nullptr;
  void* argument = nullptr;

  Task* next = nullptr;  // in the list that holds it
};

// A list of tasks in order. Not thread safe: the owner locks.
class TaskList {
 public:
  TaskList() = default;
  TaskList(TaskList&& other) noexcept;
  TaskList& operator=(TaskList&& other) noexcept;
  ~TaskList();

  bool empty() const { return first_ == nullptr; }
  Task* front() const { return first_; }
  void push_back(Task* task);
  Task* pop_front();
  // Everything behind the first `count` tasks.
  TaskList split_after(uint32_t count);

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

// Tasks waiting to be used again, so that submitting allocates nothing once warm. Not thread safe.
class TaskPool {
 public:
  std::unique_ptr<Task> take();
  void give_back(std::unique_ptr<Task> task);

 private:
  TaskList free_;
  size_t count_ = 0;
};

}  // namespace ferry::cpu
