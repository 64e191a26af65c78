// SPDX-License-Identifier: Apache-2.0
// Queues, markers and flags of the backend in wrappers that remember what the world calls them, and
// steps of our own in a queue.
#pragma once

#include "layers/check/front/seam_memory.h"
#include "layers/check/world/world.h"

#include "ferry/backend.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace ferry::layers::check {

struct CheckedQueue {
  const ferryx_backend* inner;
  ferryx_queue* queue;
  QueueId id;
  std::mutex submitting;  // keeps the world's numbers in the order of the backend's queue
};

// What those know who have waited for a point. May be shared between threads; counted.
class SharedKnowledge {
 public:
  virtual ~SharedKnowledge() = default;

  void retain() { users_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  void add(const Knowledge& knowledge) {
    const std::lock_guard lock(mutex_);
    knowledge_.join(knowledge);
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    knowledge_ = {};
  }
  Knowledge knowledge() {
    const std::lock_guard lock(mutex_);
    return knowledge_;
  }

 private:
  std::atomic<uint32_t> users_{1};
  std::mutex mutex_;     // guards knowledge_
  Knowledge knowledge_;  // empty until the point is reached
};

// A point that others wait for: a marker or a flag.
template <class Handle>
struct CheckedPoint : SharedKnowledge {
  CheckedPoint(const ferryx_backend* backend, Handle* handle) : inner(backend), point(handle) {}
  const ferryx_backend* inner;
  Handle* point;
};

inline World& world() {
  return World::instance();
}

inline CheckedDevice& checked(ferryx_device* device) {
  return *reinterpret_cast<CheckedDevice*>(device);
}
inline CheckedQueue& checked(ferryx_queue* queue) {
  return *reinterpret_cast<CheckedQueue*>(queue);
}
inline CheckedPoint<ferryx_marker>& checked(ferryx_marker* marker) {
  return *reinterpret_cast<CheckedPoint<ferryx_marker>*>(marker);
}
inline CheckedPoint<ferryx_flag>& checked(ferryx_flag* flag) {
  return *reinterpret_cast<CheckedPoint<ferryx_flag>*>(flag);
}

// What the runtime offers to backends; the same for all of them.
const ferryx_host* runtime_host();

// Something the world is told when the queue comes to it, or when it is dropped.
class Step {
 public:
  virtual ~Step() = default;
  virtual void reached() = 0;
  virtual void dropped() = 0;
};

// Puts a step into the queue; it is dropped at once when the backend refuses.
int queue_step(CheckedQueue& queue, const ferryx_task* task, std::unique_ptr<Step> step);

}  // namespace ferry::layers::check
