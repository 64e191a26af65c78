// SPDX-License-Identifier: Apache-2.0
// Work that a program has asked for: what it touches, on which stream, and where it was asked for.
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
  const void* storage = nullptr;  // where the bytes can be read; nullptr when that is not known
  bool is_rough = false;          // too many rows to be listed; some of the bytes are between them
};

// These in order of addresses, with those made one that continue each other: a batch over a pool
// has few.
std::vector<TaskRange> runs_of(std::vector<TaskRange> ranges);

// What may be remembered of a task once it is over: where it was queued, and its queue.
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
  AccessKind kind = AccessKind::kRead;  // what the task does there
  Snapshot snapshot;
  bool is_void = false;  // other work has legally written it since
};

struct Guarded {
  Range range;  // as it was given to guard()
  AccessKind kind = AccessKind::kRead;
};

struct Task {
  Moment moment;              // for kHost: work done during the call
  const char* function = "";  // the exported function that asked for it
  SiteId site = kNoSite;
  std::vector<TaskRange> ranges;
  std::vector<TaskRange> runs;       // of the ranges
  Range device_box{UINTPTR_MAX, 0};  // around all ranges on devices; a quick first look
  Range host_box{UINTPTR_MAX, 0};    // around all ranges on the host
  std::vector<Watched> watched;
  std::vector<Guarded> guarded;
  // For work whose addresses stand in device memory: finds the ranges when it starts.
  std::function<void(World& world, Task& task)> find_ranges;
  bool has_started = false;
  // It is told of when it is submitted, not when it starts. Contents of host memory that it reads
  // are compared when the host learns that it is done; they may not change until then either.
  bool is_told_ahead = false;
  bool is_refused = false;   // a range leaves its allocation: it will fail, and touch nothing
  bool is_watched = false;   // what it uses of the host's memory
  bool is_captured = false;  // its source was taken during the call

  TaskLabel label() const { return {.site = site, .queue = moment.queue}; }
  void add(const TaskRange& added) {
    if (added.range.size() > 0) ranges.push_back(added);
  }
};

// Two accesses that nothing orders.
struct Conflict {
  const Task& task;  // the later one, about to run
  TaskRange mine;    // what it does
  Access earlier;    // by a task or a call before
  Range where;
};

}  // namespace ferry::layers::check
