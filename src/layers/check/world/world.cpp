// SPDX-License-Identifier: Apache-2.0
// The life of queues and tasks, and the hooks of the rules.
#include "layers/check/world/world.h"

#include "layers/check/calls/call.h"
#include "layers/check/guard/guard.h"
#include "layers/check/world/tell_rules.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string_view>
#include <utility>

namespace ferry::layers::check {

World& World::instance() {
  static auto* world = new World;
  return *world;
}

QueueState* World::find_queue(QueueId queue) {
  const auto found = queues_.find(queue);
  return found == queues_.end() ? nullptr : &found->second;
}

void World::give_up() {
  has_given_up_.store(true, std::memory_order_release);
  for (auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight)
      unwatch(*task);
  }
  constexpr std::string_view kText =
      "ferry: the checker has run out of host memory; it checks nothing from here on\n";
  // A closed standard error cannot be reported anywhere.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
}

void World::forget_everything() {
  return model([&] { give_up(); });
}

void World::object_made(const Object& object) {
  return model([&] { objects_.add(object); });
}

void World::object_ends(void* handle, SiteId site) {
  return model([&] { objects_.end(handle, site); });
}

QueueId World::add_queue(uint32_t device, int32_t stream, std::function<bool()> is_stopped,
                         bool is_lane) {
  return model([&]() -> QueueId {
    const QueueId id = order_.add_queue();
    QueueState& added = queues_[id];
    added.id = id;
    added.device = device;
    added.stream = stream;
    added.is_stopped = std::move(is_stopped);
    added.is_lane = is_lane;
    return id;
  });
}

QueueId World::queue_of_stream(int32_t stream) {
  return model([&]() -> QueueId {
    const auto found = std::find_if(queues_.begin(), queues_.end(), [&](const auto& entry) {
      return entry.second.stream == stream;
    });
    return found == queues_.end() ? kHost : found->first;
  });
}

void World::end_queue(QueueId queue) {
  return model([&] {
    const std::vector<const Task*> unfinished = in_flight_of(queue);
    if (!unfinished.empty()) tell_rules(*this, &Rule::stream_ends, unfinished);
  });
}

void World::remove_queue(QueueId queue) {
  const SiteId site = current_site();
  return model([&] {
    QueueState* state = find_queue(queue);
    if (state == nullptr) return;
    const std::vector<const Task*> unfinished = in_flight_of(queue);
    // A model ends when its runs are over.
    if (!unfinished.empty() && !state->is_lane) {
      tell_rules(*this, &Rule::stream_ends, unfinished);
    }
    for (const std::shared_ptr<Task>& task : state->in_flight)
      unwatch(*task);
    if (const Object* stream = objects_.stream_of(queue)) objects_.end(stream->handle, site);
    host_work_ -= state->host_work;
    queues_.erase(queue);
    order_.remove_queue(queue);
  });
}

// ---- tasks ----

void World::submit(const std::shared_ptr<Task>& task, QueueId queue) {
  return model([&] {
    QueueState* state = find_queue(queue);
    if (state == nullptr) return;
    place(*task);
    if (task->is_captured) {
      task->moment = order_.act();
      record_accesses(*task, order_.host_knowledge());
    }
    task->moment = next_point(*state);
    state->in_flight.push_back(task);
    if (may_be_prepared_by_host(*state)) {
      deferred_.push_back(task);
    } else {
      watch(*task);
    }
    take_over(*state, *task);
  });
}

void World::accept(const std::shared_ptr<Task>& task) {
  return model([&] {
    QueueState* state = find_queue(task->moment.queue);
    // An abort came after the announcement and perhaps before the work. It has emptied the queue,
    // so nothing precedes the work.
    if (task->is_dropped && state != nullptr) {
      task->is_dropped = false;
      state->in_flight.push_back(task);
      order_.queue_learns_host(state->id);  // Order no longer knows when the task was queued
      begin(*task);
    }
    tell_rules(*this, &Rule::task_queued, *task);
  });
}

void World::drop(Task& task) {
  return model([&] { forget(task); });
}

void World::forget(Task& task) {
  QueueState* state = find_queue(task.moment.queue);
  if (state == nullptr) return;
  task.is_dropped = true;
  unwatch(task);
  if (!task.has_started) order_.drop(task.moment);
  std::erase_if(state->in_flight,
                [&](const std::shared_ptr<Task>& other) { return other.get() == &task; });
}

void World::start(Task& task) {
  return model([&] {
    if (task.is_dropped || find_queue(task.moment.queue) == nullptr) return;
    if (order_.is_passed(task.moment)) return forget(task);
    begin(task);
  });
}

void World::begin(Task& task) {
  const Knowledge knowledge = order_.start(task.moment);
  task.has_started = true;
  if (task.find_ranges) {
    task.find_ranges(*this, task);
    place(task);
  }
  if (!task.is_told_ahead) compare_contents(task);
  if (task.is_unmapped) fill_unmapped(task);
  tell_rules(*this, &Rule::task_starts, task);
  record_accesses(task, knowledge);
  mark_written(task);
}

void World::work_now(Task& task) {
  return model([&] {
    place(task);
    task.moment = order_.act();
    tell_rules(*this, &Rule::blocking_work, task);
    record_accesses(task, order_.host_knowledge());
    mark_written(task);
  });
}

// Finds out for each range where its bytes are. The device's view of registered memory is replaced
// by the host memory behind it.
void World::place(Task& task) {
  const Allocation* allocation = nullptr;
  task.host_box = task.device_box = {UINTPTR_MAX, 0};
  for (TaskRange& range : task.ranges) {
    const uintptr_t begin = range.range.begin;
    const bool is_same = allocation != nullptr && allocation->range().begin <= begin &&
                         begin < allocation->range().end;
    if (!is_same) allocation = memory_.find(begin);
    if (allocation != nullptr && range.range.end > allocation->range().end) task.is_refused = true;
    if (allocation != nullptr && allocation->memory.kind == FERRYX_MEMORY_MAPPED) {
      const uintptr_t host = reinterpret_cast<uintptr_t>(allocation->memory.storage) +
                             (begin - allocation->range().begin);
      range.storage = reinterpret_cast<const void*>(host);
      range.range = {host, host + range.range.size()};
      range.is_host = true;
      task.has_registered = true;
    } else if (allocation != nullptr) {
      range.is_host = allocation->is_host();
      task.has_registered |= allocation->memory.kind == FERRYX_MEMORY_REGISTERED;
    }
    Range& box = range.is_host ? task.host_box : task.device_box;
    box.begin = std::min(box.begin, range.range.begin);
    box.end = std::max(box.end, range.range.end);
  }
  task.runs = runs_of(task.ranges);
}

// A captured source is read on the host during the call; all other ranges are accessed when the
// task runs.
void World::record_accesses(Task& task, const Knowledge& knowledge) {
  if (task.is_refused) return;
  const bool is_on_host = task.moment.queue == kHost;
  for (const TaskRange& range : task.runs) {
    if (task.is_captured && (range.kind == AccessKind::kRead) != is_on_host) continue;
    // Pageable memory is accessed only during calls, so nothing can race with it.
    if (memory_.find(range.range.begin) == nullptr) continue;
    if (range.is_host && range.kind == AccessKind::kWrite) void_watches(range.range, &task);
    if (range.is_rough) continue;
    const AccessKind kind = task.is_store ? AccessKind::kStore : range.kind;
    const Access access{.when = task.moment, .kind = kind, .label = task.label().packed()};
    history_.add(
        range.range, access, knowledge, order_, [&](const Access& earlier, const Range& where) {
          const bool is_own =
              earlier.when.queue == task.moment.queue && earlier.when.number == task.moment.number;
          if (is_own) return;
          tell_rules(*this, &Rule::conflict,
                     Conflict{.task = task, .mine = range, .earlier = earlier, .where = where});
        });
  }
}

void World::mark_written(const Task& task) {
  if (task.is_refused) return;
  for (const TaskRange& range : task.ranges) {
    if (range.is_host || range.kind != AccessKind::kWrite) continue;
    Allocation* allocation = memory_.find(range.range.begin);
    if (allocation == nullptr || allocation->is_all_written) continue;
    allocation->written.add(range.range);
    allocation->is_all_written = !allocation->written.first_missing(allocation->range());
  }
}

// ---- calls ----

void World::tell_before(const Call& call) {
  return model([&] { tell_rules(*this, &Rule::before_call, call); });
}

void World::tell_after(const Call& call, aclError code) {
  return model([&] { tell_rules(*this, &Rule::after_call, call, code); });
}

void World::tell_touch(const Touch& touch) {
  return model([&] {
    if (function_on(touch.thread) != nullptr) return;
    tell_rules(*this, &Rule::host_touched, touch);
  });
}

void World::tell_end() {
  return model([&] { tell_rules(*this, &Rule::program_ends); });
}

// ---- looking ----

void World::each_in_flight(const Range& range,
                           const std::function<void(const Task&, size_t)>& visit) const {
  const auto visit_ranges = [&](const Task& task) {
    for (size_t i = 0; i < task.ranges.size(); ++i) {
      if (task.ranges[i].range.overlaps(range)) visit(task, i);
    }
  };
  for (const auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight) {
      if (task->is_function) continue;
      if (task->host_box.overlaps(range) || task->device_box.overlaps(range)) visit_ranges(*task);
    }
  }
  for (const RunningFunction& running : functions_) {
    if (running.thread != gettid()) visit_ranges(*running.task);
  }
}

bool World::is_in_use(const Range& range) {
  const std::lock_guard lock(mutex_);
  bool found = false;
  each_in_flight(range, [&](const Task& /*task*/, size_t /*index*/) { found = true; });
  return found;
}

std::vector<const Task*> World::in_flight_of(QueueId queue) const {
  std::vector<const Task*> tasks;
  const auto found = queues_.find(queue);
  if (found == queues_.end()) return tasks;
  for (const std::shared_ptr<Task>& task : found->second.in_flight)
    tasks.push_back(task.get());
  return tasks;
}

std::vector<const Task*> World::all_in_flight() const {
  std::vector<const Task*> tasks;
  for (const auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight)
      tasks.push_back(task.get());
  }
  return tasks;
}

std::string World::describe_queue(QueueId queue) const {
  if (queue == kHost) return "the host";
  char text[64];
  const auto found = queues_.find(queue);
  if (found != queues_.end() && found->second.run != nullptr) {
    const Run& run = *found->second.run;
    return describe_queue(run.moment.queue) + " (a run of model " + std::to_string(run.model) + ")";
  }
  if (found != queues_.end() && found->second.is_lane) {
    std::snprintf(text, sizeof text, "a model of device %u", found->second.device);
  } else if (const Object* stream = objects_.stream_of(queue)) {
    std::snprintf(text, sizeof text, "stream %p", stream->handle);
  } else if (found != queues_.end()) {
    std::snprintf(text, sizeof text, "the default stream of device %u", found->second.device);
  } else {
    return "a destroyed stream";
  }
  return text;
}

std::string World::describe_address(uintptr_t address) {
  char text[192];
  if (const Allocation* allocation = memory_.find(address)) {
    std::snprintf(
        text, sizeof text, "%p (offset %" PRIu64 " in %s)", reinterpret_cast<void*>(address),
        static_cast<uint64_t>(address - allocation->range().begin), describe(*allocation).c_str());
  } else {
    std::snprintf(text, sizeof text, "%p", reinterpret_cast<void*>(address));
  }
  return text;
}

}  // namespace ferry::layers::check
