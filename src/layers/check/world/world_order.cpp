// SPDX-License-Identifier: Apache-2.0
// How knowledge spreads: the host learns by waiting, queues learn from markers and flags, and both
// learn from host functions in queue order.
#include "layers/check/world/world.h"

#include <unistd.h>

#include <algorithm>

namespace ferry::layers::check {

// ---- what the host learns ----

uint64_t World::submitted(QueueId queue) {
  return model([&]() -> uint64_t {
    const QueueState* state = find_queue(queue);
    return state == nullptr ? 0 : state->submitted;
  });
}

void World::host_learns(QueueId queue, uint64_t number) {
  return model([&] {
    if (find_queue(queue) == nullptr) return;
    order_.host_learns(queue, number);
    settle();
  });
}

void World::host_learns(const Knowledge& knowledge) {
  return model([&] {
    order_.host_learns(knowledge);
    settle();
  });
}

void World::host_learns_of_stops() {
  return model([&] {
    for (const auto& [id, queue] : queues_) {
      if (!queue.in_flight.empty() && queue.is_stopped()) order_.host_learns(id, queue.submitted);
    }
    settle();
  });
}

void World::settle() {
  for (auto& [id, queue] : queues_) {
    while (!queue.in_flight.empty() && order_.is_known(queue.in_flight.front()->moment)) {
      Task& over = *queue.in_flight.front();
      look_for_unmapped(over);
      if (over.is_told_ahead) compare_contents(over);
      unwatch(over);
      queue.in_flight.pop_front();
    }
  }
}

// ---- points that others wait for ----

Moment World::next_point(QueueState& queue) {
  const Moment point =
      queue.launched_in == 0 ? order_.submit(queue.id) : order_.submit(queue.id, queue.launched_in);
  queue.submitted = point.number;
  return point;
}

Moment World::submit_point(QueueId queue) {
  return model([&]() -> Moment {
    QueueState* state = find_queue(queue);
    return state == nullptr ? Moment{} : next_point(*state);
  });
}

void World::drop_point(const Moment& point) {
  return model([&] {
    if (find_queue(point.queue) != nullptr) order_.drop(point);
  });
}

Knowledge World::publish(const Moment& point) {
  return model([&]() -> Knowledge {
    if (find_queue(point.queue) != nullptr) static_cast<void>(order_.start(point));
    // The host knows everything about a removed queue, and so does whatever waits for the point.
    return order_.publish(point);
  });
}

Knowledge World::behind(const Moment& dropped) {
  return model([&]() -> Knowledge { return order_.behind(dropped); });
}

Knowledge World::all_done() {
  return model([&]() -> Knowledge { return order_.all_done(); });
}

Moment World::wait_queued(QueueId queue) {
  return model([&]() -> Moment {
    QueueState* state = find_queue(queue);
    if (state == nullptr) return {};
    ++state->waits;
    return next_point(*state);
  });
}

void World::wait_over(const Moment& wait, const Knowledge& knowledge) {
  return model([&] {
    QueueState* state = find_queue(wait.queue);
    if (state == nullptr) return;
    static_cast<void>(order_.start(wait));
    order_.queue_learns(wait.queue, knowledge);
    --state->waits;
    watch_deferred();
  });
}

// What was published is done, whether or not the queue has waited for it: an abort may have come
// between the wait and its step.
void World::wait_dropped(const Moment& wait, const Knowledge& knowledge) {
  return model([&] {
    QueueState* state = find_queue(wait.queue);
    if (state == nullptr) return;
    order_.drop(wait);
    order_.queue_learns(wait.queue, knowledge);
    --state->waits;
    watch_deferred();
  });
}

Moment World::host_work_queued(QueueId queue) {
  return model([&]() -> Moment {
    QueueState* state = find_queue(queue);
    if (state == nullptr) return {};
    ++state->host_work;
    ++host_work_;
    return next_point(*state);
  });
}

void World::host_work_starts(const Moment& work) {
  return model([&] {
    if (find_queue(work.queue) == nullptr) return;
    static_cast<void>(order_.start(work));
    order_.host_learns(work.queue, work.number - 1);
    settle();
  });
}

void World::host_work_over(const Moment& work, bool has_run) {
  return model([&] {
    QueueState* state = find_queue(work.queue);
    if (state == nullptr) return;
    if (has_run) {
      order_.queue_learns_host(work.queue);
    } else {
      order_.drop(work);
    }
    --state->host_work;
    --host_work_;
    watch_deferred();
  });
}

void World::function_starts(const std::shared_ptr<Task>& function) {
  host_work_starts(function->moment);
  return model([&] {
    function->has_started = true;
    functions_.push_back({.thread = gettid(), .task = function});
    // Contents that change from now on may have been written by the function.
    for (const auto& [id, queue] : queues_) {
      for (const std::shared_ptr<Task>& task : queue.in_flight)
        compare_contents(*task);
    }
  });
}

void World::function_over(const Task& function) {
  return model([&] {
    std::erase_if(functions_,
                  [&](const RunningFunction& running) { return running.task.get() == &function; });
    memory_.mark_all_written();
    if (find_queue(function.moment.queue) != nullptr)
      order_.queue_learns_host(function.moment.queue);
  });
}

void World::kernel_starts(const std::shared_ptr<Task>& uses) {
  return model([&] { functions_.push_back({.thread = gettid(), .task = uses}); });
}

void World::kernel_over(const Task& uses) {
  return model([&] {
    std::erase_if(functions_,
                  [&](const RunningFunction& running) { return running.task.get() == &uses; });
  });
}

Task* World::function_on(int thread) {
  const auto found = std::ranges::find(functions_, thread, &RunningFunction::thread);
  return found == functions_.end() ? nullptr : found->task.get();
}

void World::function_uses(const void* address) {
  return model([&] {
    Task* function = function_on(gettid());
    const Allocation* allocation = memory_.find(reinterpret_cast<uintptr_t>(address));
    if (function == nullptr || allocation == nullptr) return;
    if (allocation->is_of_runtime) return;  // argument blocks of several launches share one
    const Range used = allocation->range();
    const bool is_known = std::ranges::any_of(function->ranges, [&](const TaskRange& range) {
      return range.range.begin == used.begin && range.range.end == used.end;
    });
    if (!is_known) function->add({.range = used, .kind = AccessKind::kWrite});
  });
}

}  // namespace ferry::layers::check
