// SPDX-License-Identifier: Apache-2.0
// How knowledge spreads: the host learns by waiting, queues learn from markers and flags, and both
// learn from host functions in queue order.
#include "layers/check/world/world.h"

#include <unistd.h>

#include <algorithm>

namespace ferry::layers::check {

// ---- what the host learns ----

uint64_t World::submitted(QueueId queue) {
  const std::lock_guard lock(mutex_);
  const QueueState* state = find_queue(queue);
  return state == nullptr ? 0 : state->submitted;
}

void World::host_learns(QueueId queue, uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (find_queue(queue) == nullptr) return;
  order_.host_learns(queue, number);
  settle();
}

void World::host_learns(const Knowledge& knowledge) {
  const std::lock_guard lock(mutex_);
  order_.host_learns(knowledge);
  settle();
}

void World::host_learns_of_stops() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, queue] : queues_) {
    if (!queue.in_flight.empty() && queue.is_stopped()) order_.host_learns(id, queue.submitted);
  }
  settle();
}

void World::settle() {
  for (auto& [id, queue] : queues_) {
    while (!queue.in_flight.empty() && order_.is_known(queue.in_flight.front()->moment)) {
      Task& over = *queue.in_flight.front();
      if (over.is_told_ahead) compare_contents(over);
      unwatch(over);
      queue.in_flight.pop_front();
    }
  }
}

// ---- points that others wait for ----

Moment World::next_point(QueueState& queue) {
  const Moment point = order_.submit(queue.id);
  queue.submitted = point.number;
  return point;
}

Moment World::submit_point(QueueId queue) {
  const std::lock_guard lock(mutex_);
  QueueState* state = find_queue(queue);
  return state == nullptr ? Moment{} : next_point(*state);
}

void World::drop_point(const Moment& point) {
  const std::lock_guard lock(mutex_);
  if (find_queue(point.queue) != nullptr) order_.drop(point);
}

Knowledge World::publish(const Moment& point) {
  const std::lock_guard lock(mutex_);
  if (find_queue(point.queue) != nullptr) static_cast<void>(order_.start(point));
  // The host knows everything about a removed queue, and so does whatever waits for the point.
  return order_.publish(point);
}

Moment World::wait_queued(QueueId queue) {
  const std::lock_guard lock(mutex_);
  QueueState* state = find_queue(queue);
  if (state == nullptr) return {};
  ++state->waits;
  return next_point(*state);
}

void World::wait_over(const Moment& wait, const Knowledge& knowledge) {
  const std::lock_guard lock(mutex_);
  QueueState* state = find_queue(wait.queue);
  if (state == nullptr) return;
  static_cast<void>(order_.start(wait));
  order_.queue_learns(wait.queue, knowledge);
  --state->waits;
  watch_deferred();
}

void World::wait_dropped(const Moment& wait) {
  const std::lock_guard lock(mutex_);
  QueueState* state = find_queue(wait.queue);
  if (state == nullptr) return;
  order_.drop(wait);
  --state->waits;
  watch_deferred();
}

Moment World::host_work_queued(QueueId queue) {
  const std::lock_guard lock(mutex_);
  QueueState* state = find_queue(queue);
  if (state == nullptr) return {};
  ++state->host_work;
  ++host_work_;
  return next_point(*state);
}

void World::host_work_starts(const Moment& work) {
  const std::lock_guard lock(mutex_);
  if (find_queue(work.queue) == nullptr) return;
  static_cast<void>(order_.start(work));
  order_.host_learns(work.queue, work.number - 1);
  settle();
}

void World::host_work_over(const Moment& work, bool has_run) {
  const std::lock_guard lock(mutex_);
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
}

void World::kernel_starts(const Moment& kernel) {
  host_work_starts(kernel);
  const std::lock_guard lock(mutex_);
  device_threads_.push_back(gettid());
  // Contents that change from now on may have been written by the kernel.
  for (const auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight)
      compare_contents(*task);
  }
}

void World::kernel_over(const Moment& kernel) {
  const std::lock_guard lock(mutex_);
  device_threads_.erase(std::find(device_threads_.begin(), device_threads_.end(), gettid()));
  memory_.mark_all_written();
  if (find_queue(kernel.queue) != nullptr) order_.queue_learns_host(kernel.queue);
}

}  // namespace ferry::layers::check
