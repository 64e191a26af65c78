// SPDX-License-Identifier: Apache-2.0
// Host memory in flight: closed where whole pages can be, compared elsewhere, from the call that
// queues a task until the host knows that it is done.
#include "layers/check/guard.h"
#include "layers/check/world.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace ferry::layers::check {
namespace {

Guard guard_of(AccessKind kind) {
  return kind == AccessKind::kRead ? Guard::kNoWrites : Guard::kNoAccess;
}

// Blocks that lie side by side become one, so that a batch over a pool takes few guards.
std::vector<TaskRange> merged(std::vector<TaskRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const TaskRange& a, const TaskRange& b) {
    return std::tie(a.kind, a.range.begin) < std::tie(b.kind, b.range.begin);
  });
  std::vector<TaskRange> result;
  for (const TaskRange& range : ranges) {
    TaskRange* last = result.empty() ? nullptr : &result.back();
    const bool continues =
        last != nullptr && last->kind == range.kind && last->range.end == range.range.begin &&
        static_cast<const char*>(last->storage) + last->range.size() == range.storage;
    if (continues) {
      last->range.end = range.range.end;
    } else {
      result.push_back(range);
    }
  }
  return result;
}

}  // namespace

// A function of the host that is queued before a task may legally write what the task will read, so
// its memory is watched only from then on. Another stream's function counts when the queue waits
// for others.
bool World::may_be_prepared_by_host(const QueueState& queue) const {
  return queue.host_work > 0 || (queue.waits > 0 && host_work_ > 0);
}

void World::watch(Task& task) {
  std::vector<TaskRange> host;
  for (const TaskRange& range : task.ranges) {
    const bool is_taken = task.is_captured && range.kind == AccessKind::kRead;
    if (range.is_host && !is_taken && range.storage != nullptr) host.push_back(range);
  }
  for (const TaskRange& range : merged(std::move(host)))
    watch_range(task, range);
}

void World::watch_range(Task& task, const TaskRange& range) {
  const Allocation* allocation = memory_.find(range.range.begin);
  if (allocation == nullptr || range.range.end > allocation->range().end) return;
  const Range closed = guard(range.range, guard_of(range.kind), task.label().packed());
  if (closed.size() > 0) task.guarded.push_back({.range = range.range, .kind = range.kind});
  // What no page guards is compared.
  const auto compare = [&](uintptr_t begin, uintptr_t end) {
    if (begin >= end) return;
    const auto* storage = static_cast<const char*>(range.storage) + (begin - range.range.begin);
    task.watched.push_back({.range = {begin, end},
                            .kind = range.kind,
                            .snapshot = Snapshot(storage, end - begin),
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
    if (!task || task->has_started) return true;
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

void World::compare_contents(Task& task) {
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

// Queued work has written these bytes in its turn: what other tasks remember of them is out of
// date.
void World::void_watches(const Range& range, const Task& writer) {
  for (auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight) {
      if (task.get() == &writer || !task->host_box.overlaps(range)) continue;
      for (Watched& watched : task->watched) {
        if (watched.range.overlaps(range)) watched.is_void = true;
      }
    }
  }
}

}  // namespace ferry::layers::check
