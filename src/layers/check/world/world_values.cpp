// SPDX-License-Identifier: Apache-2.0
// Values in memory: what a queue knows once it has waited for one.
#include "layers/check/world/world.h"

#include <algorithm>

namespace ferry::layers::check {

void World::value_stored(const Moment& task, const void* address, uint64_t value) {
  return model([&] {
    if (find_queue(task.queue) == nullptr) return;
    values_.add(reinterpret_cast<uintptr_t>(address), value, order_.publish(task));
  });
}

// Whether anything but a store of a queue may have put the value there: a copy that the waiting
// queue does not know to be done, a function that acts as a kernel, another process, or, for memory
// that the host can reach, the program itself.
bool World::may_be_stored_elsewhere(const Range& range, const Knowledge& before) {
  const Allocation* allocation = memory_.find(range.begin);
  if (allocation == nullptr || !allocation->is_device() || allocation->is_shared) return true;
  if (!functions_.empty()) return true;
  return history_.has_unordered_write(range, before, order_);
}

Knowledge World::known_after(const ferryx_value& awaited, const Knowledge& before) {
  const auto begin = reinterpret_cast<uintptr_t>(awaited.address);
  const Range range{begin, begin + sizeof awaited.value};
  if (may_be_stored_elsewhere(range, before)) return order_.all_reached();
  const std::optional<Knowledge> stored = values_.behind(awaited);
  return stored.has_value() ? *stored : order_.all_reached();
}

void World::value_wait_over(const Moment& wait, const ferryx_value& awaited) {
  return model([&] {
    QueueState* state = find_queue(wait.queue);
    if (state == nullptr) return;
    const Knowledge before = order_.start(wait);
    order_.queue_learns(wait.queue, known_after(awaited, before));
    --state->waits;
    watch_deferred();
  });
}

// As wait_dropped: an abort may have come between the wait and its step.
void World::value_wait_dropped(const Moment& wait, const ferryx_value& awaited) {
  return model([&] {
    QueueState* state = find_queue(wait.queue);
    if (state == nullptr) return;
    order_.drop(wait);
    order_.queue_learns(wait.queue, known_after(awaited, order_.behind(wait)));
    --state->waits;
    watch_deferred();
  });
}

}  // namespace ferry::layers::check
