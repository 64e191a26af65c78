// SPDX-License-Identifier: Apache-2.0
// Queues, markers and flags of the checker's front, their slots, and steps in a queue.
#pragma once

#include "layers/check/front/checked_device.h"
#include "layers/check/front/lookahead.h"
#include "layers/check/world/world.h"
#include "layers/front/front.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace ferry::layers::check {

struct CheckedQueue : Wrapped<ferryx_queue> {
  CheckedQueue(const ferryx_backend* backend, ferryx_queue* queue, QueueId number);

  QueueId id;                         // constant once the queue is made
  std::mutex submitting;              // keeps World's numbers in the order of the backend's queue
  std::atomic<uint64_t> accepted{0};  // all work up to this number has reached the backend
  // nullptr with cheap callouts: a step is then a callout before the work. Otherwise steps are
  // reached ahead, at submission.
  const std::unique_ptr<Lookahead> lookahead;
  // Of a lane whose run is submitted. Used by the thread that submits it.
  std::shared_ptr<Run> run;
};

// What a queue or the host knows after waiting for a marker or flag. May be shared between threads.
// The checker gives up if there is no memory to note it: queues, which cannot fail, call this too.
class SharedKnowledge {
 public:
  // Work that will reach the point is about to be queued there.
  void set_place(const Moment& place) {
    const std::lock_guard lock(mutex_);
    place_ = place;
  }
  Moment place() {
    const std::lock_guard lock(mutex_);
    return place_;
  }
  void add(const Knowledge& knowledge) {
    return or_give_up([&] {
      const std::lock_guard lock(mutex_);
      is_published_ = true;
      knowledge_.join(knowledge);
    });
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    knowledge_ = {};
    is_published_ = false;
  }
  Knowledge knowledge() {
    return or_give_up([&] {
      const std::lock_guard lock(mutex_);
      return knowledge_;
    });
  }
  bool is_published() {
    const std::lock_guard lock(mutex_);
    return is_published_;
  }

 private:
  template <class Change>
  static auto or_give_up(Change change) -> decltype(change()) {
    try {
      return change();
    } catch (const std::bad_alloc&) {
      World::instance().forget_everything();
    }
    return decltype(change())();
  }

  std::mutex mutex_;     // guards the members below
  Knowledge knowledge_;  // empty until the point is reached
  Moment place_;
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

// Held while work is submitted to a queue.
class Submission {
 public:
  explicit Submission(CheckedQueue& queue) : queue_(queue), lock_(queue.submitting) {}
  ~Submission() { queue_.accepted.store(world().submitted(queue_.id)); }
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

 private:
  CheckedQueue& queue_;
  const std::lock_guard<std::mutex> lock_;
};

// A step that is dropped unless it is taken: the submission may fail, or throw.
class StepToBe {
 public:
  explicit StepToBe(std::unique_ptr<Step> step) : step_(std::move(step)) {}
  ~StepToBe() {
    if (step_ != nullptr) step_->dropped();
  }
  StepToBe(const StepToBe&) = delete;
  StepToBe& operator=(const StepToBe&) = delete;

  Step* get() const { return step_.get(); }
  std::unique_ptr<Step> take() { return std::move(step_); }

 private:
  std::unique_ptr<Step> step_;
};

// Enqueues a callout that reaches the step. The step is dropped at once when the backend refuses.
int queue_step(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step);

// Puts a step before the work that is submitted next: as a callout, or through the lookahead.
int announce(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step);

// Tells World of the bytes that the work uses, and submits it behind a step.
int submit_task(CheckedQueue& queue, const ferryx_work& work);

// Where the work was asked for: the current call, or the one that has recorded it.
SiteId site_of_work(const CheckedQueue& queue, const ferryx_work& work);

// The free in queue order that this thread executes; nullptr when it executes none.
const MemoryEnd* current_end();

namespace slots {

// Kinds of queue_submit.
int submit_callout(CheckedQueue& queue, const ferryx_work& work);
int submit_run(CheckedQueue& queue, const ferryx_work& start, const std::shared_ptr<Run>& run);
int submit_function(CheckedQueue& queue, const ferryx_work& work);
int submit_kernel(CheckedQueue& queue, const ferryx_work& work);
int submit_declared(CheckedQueue& queue, const ferryx_work& kernel);
int submit_point(CheckedQueue& queue, const ferryx_work& work);
int submit_wait(CheckedQueue& queue, const ferryx_work& work);
int submit_value_wait(CheckedQueue& queue, const ferryx_work& work);

// Put the slots that concern queues, or markers and flags, into the table of the front.
void set_queue_slots(ferryx_backend& table);
void set_point_slots(ferryx_backend& table);
// The same for slots that are offered whether the backend has them or not.
void add_run_slots(ferryx_backend& table);

}  // namespace slots

}  // namespace ferry::layers::check
