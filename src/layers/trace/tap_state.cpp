// SPDX-License-Identifier: Apache-2.0
// Queues by address and time.
#include "layers/trace/tap_state.h"

#include <algorithm>
#include <new>

namespace ferry::layers::trace {

void KnownQueues::clear() {
  const std::lock_guard lock(mutex_);
  queues_.clear();
  has_ended_ = false;
}

void KnownQueues::add(const ferryx_queue* queue, int32_t device, int32_t stream) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    queues_[queue].push_back({.begin = now(), .lane = {.device = device, .stream = stream}});
  } catch (const std::bad_alloc&) {
    return;
  }
}

void KnownQueues::end(const ferryx_queue* queue) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(queue);
  if (found == queues_.end() || found->second.empty()) return;
  found->second.back().end = now();
  has_ended_ = true;
}

std::optional<QueueLane> KnownQueues::find(const ferryx_queue* queue, int64_t time) const {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(queue);
  if (found == queues_.end()) return {};
  for (const Entry& entry : found->second) {
    if (entry.begin <= time && time <= entry.end) return entry.lane;
  }
  return {};
}

std::optional<int32_t> KnownQueues::device_of_stream(int32_t stream) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [queue, entries] : queues_) {
    for (const Entry& entry : entries) {
      if (entry.lane.stream == stream) return entry.lane.device;
    }
  }
  return {};
}

std::vector<GoneQueue> KnownQueues::next_round() {
  std::vector<GoneQueue> gone;
  const std::lock_guard lock(mutex_);
  if (!has_ended_) return gone;
  has_ended_ = false;
  for (auto at = queues_.begin(); at != queues_.end();) {
    std::vector<Entry>& entries = at->second;
    std::erase_if(entries, [&](Entry& entry) {
      if (entry.end == INT64_MAX) return false;
      has_ended_ = true;
      if (--entry.rounds_left > 0) return false;
      gone.push_back({.queue = at->first, .end = entry.end, .lane = entry.lane});
      return true;
    });
    at = entries.empty() ? queues_.erase(at) : std::next(at);
  }
  return gone;
}

}  // namespace ferry::layers::trace
