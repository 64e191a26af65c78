// SPDX-License-Identifier: Apache-2.0
// Queues, markers and flags of the checker's front, their slots, and steps in a queue.
#pragma once

#include "layers/check/front/checked_device.h"
#include "layers/check/front/lookahead.h"
#include "layers/check/world/world.h"
#include "layers/front/front.h"

#include "ferry/backend.h"

#include <memory>
#include <mutex>

namespace ferry::layers::check {

struct CheckedQueue : Wrapped<ferryx_queue> {
  CheckedQueue(const ferryx_backend* backend, ferryx_queue* queue, QueueId number);

  const QueueId id;
  std::mutex submitting;  // keeps World's numbers in the order of the backend's queue
  // nullptr with cheap callouts: a step is then a callout before the work. Otherwise steps are
  // reached ahead, at submission.
  const std::unique_ptr<Lookahead> lookahead;
};

// What a queue or the host knows after waiting for a marker or flag. May be shared between threads.
class SharedKnowledge {
 public:
  void add(const Knowledge& knowledge) {
    const std::lock_guard lock(mutex_);
    knowledge_.join(knowledge);
    is_published_ = true;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    knowledge_ = {};
    is_published_ = false;
  }
  Knowledge knowledge() {
    const std::lock_guard lock(mutex_);
    return knowledge_;
  }
  bool is_published() {
    const std::lock_guard lock(mutex_);
    return is_published_;
  }

 private:
  std::mutex mutex_;     // guards the members below
  Knowledge knowledge_;  // empty until the point is reached
  bool is_published_ = false;
};

template <class Handle>
struct CheckedPoint : Wrapped<Handle>, SharedKnowledge {
  using Wrapped<Handle>::Wrapped;
};

inline World& world() {
  return World::instance();
}

inline CheckedDevice& checked(ferryx_device* device) {
  return static_cast<CheckedDevice&>(wrapped(device));
}
inline CheckedQueue& checked(ferryx_queue* queue) {
  return static_cast<CheckedQueue&>(wrapped(queue));
}
inline CheckedPoint<ferryx_marker>& checked(ferryx_marker* marker) {
  return static_cast<CheckedPoint<ferryx_marker>&>(wrapped(marker));
}
inline CheckedPoint<ferryx_flag>& checked(ferryx_flag* flag) {
  return static_cast<CheckedPoint<ferryx_flag>&>(wrapped(flag));
}

// The runtime services; the same for all backends.
const ferryx_runtime* runtime_services();

// Enqueues a callout that reaches the step. The step is dropped at once when the backend refuses.
int queue_step(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step);

// Puts a step before the work that is submitted next: as a callout, or through the lookahead.
int announce(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step);

namespace slots {

// Kinds of queue_submit.
int submit_callout(CheckedQueue& queue, const ferryx_work& work);
int submit_function(CheckedQueue& queue, const ferryx_work& work);
int submit_point(CheckedQueue& queue, const ferryx_work& work);
int submit_wait(CheckedQueue& queue, const ferryx_work& work);

// Put the slots that concern queues, or markers and flags, into the table of the front.
void set_queue_slots(ferryx_backend& table);
void set_point_slots(ferryx_backend& table);

}  // namespace slots

}  // namespace ferry::layers::check
