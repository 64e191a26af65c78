// SPDX-License-Identifier: Apache-2.0
// Host memory in flight: whole pages are guarded, the rest is compared, from the call that queues a
// task until the host knows that it is done.
#include "layers/check/guard/guard.h"
#include "layers/check/guard/mapped_memory.h"
#include "layers/check/world/world.h"

#include <algorithm>
#include <optional>

namespace ferry::layers::check {
namespace {

Guard guard_of(AccessKind kind) {
  return kind == AccessKind::kRead ? Guard::kNoWrites : Guard::kNoAccess;
}

// Whether `range` overlaps one of `parts`, which are sorted and disjoint.
bool is_touched(const std::vector<Range>& parts, const Range& range) {
  const auto first = std::partition_point(
      parts.begin(), parts.end(), [&](const Range& part) { return part.end <= range.begin; });
  return first != parts.end() && first->begin < range.end;
}

}  // namespace

// The host ranges written by started tasks near `box` that may not be done, sorted and disjoint.
std::vector<Range> World::writes_under_way(const Range& box) const {
  std::vector<Range> writes;
  for (const auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight) {
      if (!task->has_started || !task->host_box.overlaps(box)) continue;
      for (const TaskRange& range : task->ranges) {
        if (range.is_host && range.kind == AccessKind::kWrite) writes.push_back(range.range);
      }
    }
  }
  std::sort(writes.begin(), writes.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> apart;
  for (const Range& range : writes) {
    if (apart.empty() || apart.back().end < range.begin) {
      apart.push_back(range);
    } else {
      apart.back().end = std::max(apart.back().end, range.end);
    }
  }
  return apart;
}

// A host function queued before a task may legally write what the task will read, so the task's
// memory is watched only once the function has ended. A function in another stream counts when the
// queue has a wait pending.
bool World::may_be_prepared_by_host(const QueueState& queue) const {
  return queue.host_work > 0 || (queue.waits > 0 && host_work_ > 0);
}

void World::watch(Task& task) {
  const size_t first = task.watched.size();
  for (const TaskRange& range : task.runs) {
    const bool is_taken = task.is_captured && range.kind == AccessKind::kRead;
    // A task that is announced ahead is compared after it has run: its own writes are changes then.
    const bool is_own_write = task.is_told_ahead && range.kind == AccessKind::kWrite;
    const bool is_usable = range.storage != nullptr && !range.is_rough;
    if (range.is_host && !is_taken && !is_own_write && is_usable) watch_range(task, range);
  }
  if (first == task.watched.size()) return;
  // Started tasks may not have written yet: contents that they overwrite are already out of date.
  const std::vector<Range> writes = writes_under_way(task.host_box);
  for (size_t i = first; i < task.watched.size(); ++i)
    task.watched[i].is_void = is_touched(writes, task.watched[i].range);
}

void World::watch_range(Task& task, const TaskRange& range) {
  const Allocation* allocation = memory_.find(range.range.begin);
  if (allocation == nullptr || range.range.end > allocation->range().end) return;
  // Another process may change it until it has reached what the task's queue waits for.
  if (allocation->is_shared) return;
  const bool is_of_program = allocation->memory.kind == FERRYX_MEMORY_REGISTERED;
  if (is_of_program && !is_mapped(range.range)) return;
  task.guarded.reserve(task.guarded.size() + 1);  // a guard that is not noted would stay
  const Range closed = guard(range.range, guard_of(range.kind), task.label().packed());
  if (closed.size() > 0) task.guarded.push_back({.range = range.range, .kind = range.kind});
  // A GPU copies faster than the host can hash all the bytes.
  const auto detail = task.is_told_ahead ? Snapshot::Detail::kSampled : Snapshot::Detail::kAll;
  // Bytes outside the guarded pages are compared, unless a device function may be writing them for
  // this task: contents have no author.
  const auto compare = [&](uintptr_t begin, uintptr_t end) {
    if (begin >= end || !functions_.empty()) return;
    const auto* storage = static_cast<const char*>(range.storage) + (begin - range.range.begin);
    task.watched.push_back({.range = {begin, end},
                            .kind = range.kind,
                            .snapshot = Snapshot(storage, end - begin, detail),
                            .is_void = false});
  };
  if (closed.size() == 0) {
    compare(range.range.begin, range.range.end);
  } else {
    compare(range.range.begin, closed.begin);
    compare(closed.end, range.range.end);
  }
}

void World::watch_deferred() {
  std::erase_if(deferred_, [&](const std::weak_ptr<Task>& waiting) {
    const std::shared_ptr<Task> task = waiting.lock();
    if (!task || task->has_started || task->is_dropped) return true;
    const QueueState* state = find_queue(task->moment.queue);
    if (state == nullptr) return true;
    if (may_be_prepared_by_host(*state)) return false;
    watch(*task);
    return true;
  });
}

void World::unwatch(Task& task) {
  for (const Guarded& guarded : task.guarded) {
    unguard(guarded.range, guard_of(guarded.kind), task.label().packed());
  }
  task.guarded.clear();
  task.watched.clear();
}

// Registered memory belongs to the program, which can unmap it without a call. Its contents are not
// accessed then.
void World::look_for_unmapped(Task& task) {
  if (!task.has_registered) return;
  for (const TaskRange& range : task.runs) {
    const bool is_taken = task.is_captured && range.kind == AccessKind::kRead;
    if (!range.is_host || is_taken || task.is_unmapped) continue;
    const Allocation* allocation = memory_.find(range.range.begin);
    if (allocation == nullptr || allocation->memory.kind != FERRYX_MEMORY_REGISTERED) continue;
    if (is_mapped(range.range)) continue;
    task.is_unmapped = true;  // one finding per task is enough
    task.watched.clear();
    for (Rule* rule : all_rules()) {
      if (is_wanted(rule->info())) rule->memory_unmapped(*this, task, range);
    }
  }
}

// The program goes on after a finding: the task would crash it.
void World::fill_unmapped(const Task& task) {
  for (const TaskRange& range : task.runs) {
    if (range.is_host) fill_holes(range.range);
  }
}

void World::compare_contents(Task& task) {
  look_for_unmapped(task);
  for (const Watched& watched : task.watched) {
    if (watched.is_void) continue;
    const std::optional<size_t> change = watched.snapshot.first_change();
    if (!change.has_value()) continue;
    for (Rule* rule : all_rules()) {
      if (is_wanted(rule->info())) {
        rule->contents_changed(*this, task, watched.range.begin + *change);
      }
    }
  }
  task.watched.clear();
}

// A task writes these bytes in its turn, or nullptr: another process. The snapshots that other
// tasks have of them are out of date.
void World::void_watches(const Range& range, const Task* writer) {
  for (auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight) {
      if (task.get() == writer || !task->host_box.overlaps(range)) continue;
      for (Watched& watched : task->watched) {
        if (watched.range.overlaps(range)) watched.is_void = true;
      }
    }
  }
}

}  // namespace ferry::layers::check
