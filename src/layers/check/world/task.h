// SPDX-License-Identifier: Apache-2.0
// Tasks as the checker sees them: the bytes accessed, the queue, and the call site.
#pragma once

#include "layers/check/guard/snapshot.h"
#include "layers/check/order/history.h"
#include "layers/check/report/site.h"

#include "ferry/backend.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ferry::layers::check {

class World;

// Bytes that a task reads or writes.
struct TaskRange {
  Range range;
  AccessKind kind = AccessKind::kRead;
  bool is_host = false;
  const void* storage = nullptr;  // where the bytes can be read; nullptr when unknown
  bool is_rough = false;          // rows too many to list: includes the bytes between them
};

// The ranges sorted by kind and address, adjacent ones merged. A batch over a pool has few runs.
std::vector<TaskRange> runs_of(std::vector<TaskRange> ranges);

// What is remembered of a task once it is done: its call site and its queue.
struct TaskLabel {
  SiteId site = kNoSite;
  QueueId queue = kHost;

  uint64_t packed() const { return uint64_t{site} << 32 | queue; }
  static TaskLabel of(uint64_t packed) {
    return {static_cast<SiteId>(packed >> 32), static_cast<QueueId>(packed)};
  }
};

// Contents of host memory that must not change until the task has run.
struct Watched {
  Range range;
  AccessKind kind = AccessKind::kRead;  // of the task's access
  Snapshot snapshot;
  bool is_void = false;  // other work has legally written it since
};

struct Guarded {
  Range range;  // as passed to guard()
  AccessKind kind = AccessKind::kRead;
};

struct Task {
  Moment moment;              // of kHost: executed during the call
  const char* function = "";  // the exported function that asked for it
  SiteId site = kNoSite;
  uint64_t correlation = 0;  // of its work, if it is part of a run of a model
  std::vector<TaskRange> ranges;
  std::vector<TaskRange> runs;       // of the ranges
  Range device_box{UINTPTR_MAX, 0};  // bounds of all ranges on devices, for quick overlap tests
  Range host_box{UINTPTR_MAX, 0};    // bounds of all ranges on the host
  std::vector<Watched> watched;
  std::vector<Guarded> guarded;
  // For work whose addresses are in device memory: finds the ranges when it starts.
  std::function<void(World& world, Task& task)> find_ranges;
  // A function that acts as a kernel. Its ranges are what it has asked for so far.
  bool is_function = false;
  bool is_store = false;  // it stores a value that others may wait for
  bool has_started = false;
  bool is_dropped = false;  // it will not start
  // World is told of the task at submission, not at its start. The contents of host memory that it
  // reads are compared when the host learns that it is done; they must not change until then.
  bool is_told_ahead = false;
  bool is_refused = false;      // a range exceeds its allocation: it will fail and access nothing
  bool is_captured = false;     // its source bytes were captured during the call
  bool has_registered = false;  // some of its host memory is registered,
  bool is_unmapped = false;     // and the program has unmapped it

  TaskLabel label() const { return {.site = site, .queue = moment.queue}; }
  void add(const TaskRange& added) {
    if (added.range.size() > 0) ranges.push_back(added);
  }
};

// Two accesses that nothing orders.
struct Conflict {
  const Task& task;  // the later one, about to run
  TaskRange mine;    // its access
  Access earlier;    // by an earlier task or call
  Range where;
};

}  // namespace ferry::layers::check
