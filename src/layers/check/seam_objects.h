// SPDX-License-Identifier: Apache-2.0
// Queues, markers and flags of the backend in wrappers that remember what the world calls them, and
// steps of our own in a queue.
#pragma once

#include "layers/check/seam_memory.h"
#include "layers/check/world.h"

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

// A point that others wait for.
struct CheckedPoint {
  explicit CheckedPoint(const ferryx_backend* backend) : inner(backend) {}

  const ferryx_backend* inner;
  std::atomic<uint32_t> users{1};
  std::mutex mutex;     // guards `knowledge`
  Knowledge knowledge;  // of those who wait for it; empty until it is reached
};

struct CheckedMarker : CheckedPoint {
  CheckedMarker(const ferryx_backend* backend, ferryx_marker* handle)
      : CheckedPoint(backend), marker(handle) {}
  ferryx_marker* marker;
};

struct CheckedFlag : CheckedPoint {
  CheckedFlag(const ferryx_backend* backend, ferryx_flag* handle)
      : CheckedPoint(backend), flag(handle) {}
  ferryx_flag* flag;
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
inline CheckedMarker& checked(ferryx_marker* marker) {
  return *reinterpret_cast<CheckedMarker*>(marker);
}
inline CheckedFlag& checked(ferryx_flag* flag) {
  return *reinterpret_cast<CheckedFlag*>(flag);
}

template <class Point>
void release(Point& point) {
  if (point.users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &point;
}

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
