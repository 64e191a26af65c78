// SPDX-License-Identifier: Apache-2.0
// Markers and flags: reaching one publishes the queue's knowledge; waiting on it joins that
// knowledge.
#include "layers/check/front/checked_objects.h"

#include "acl/acl_base_rt.h"

#include <new>

namespace ferry::layers::check::slots {
namespace {

// The marker or flag of work, kept alive by a reference.
template <class Handle>
class PointStep : public Step {
 public:
  PointStep(CheckedPoint<Handle>& point, const Moment& moment) : point_(point), moment_(moment) {
    point_.retain();
  }
  ~PointStep() override { point_.release(); }

 protected:
  CheckedPoint<Handle>& shared() { return point_; }
  const Moment& moment() const { return moment_; }

 private:
  CheckedPoint<Handle>& point_;
  Moment moment_;
};

template <class Handle>
class Publish : public PointStep<Handle> {
 public:
  using PointStep<Handle>::PointStep;
  void reached() override { this->shared().add(world().publish(this->moment())); }
  // What precedes a dropped marker was dropped too, or is done. An abort may also have come between
  // this step and the marker, which is then reached.
  void dropped() override {
    this->shared().add(world().behind(this->moment()));
    world().drop_point(this->moment());
  }
};

// What is known about a marker that was reached or dropped. A dropped one may not have published
// yet: a backend need not wait for the thread that is about to reach its step.
Knowledge known_behind(SharedKnowledge& marker) {
  return marker.is_published() ? marker.knowledge() : world().behind(marker.place());
}

// What a queue knows that has waited. A wait with a timeout may end without being satisfied, and a
// flag that is dropped ends no wait.
Knowledge known_after_wait(CheckedPoint<ferryx_marker>& marker, int64_t timeout) {
  return timeout == FERRYX_FOREVER ? known_behind(marker) : marker.knowledge();
}
Knowledge known_after_wait(CheckedPoint<ferryx_flag>& flag, int64_t /*timeout*/) {
  return flag.knowledge();
}

// Behind a wait: the queue joins the knowledge that the marker or flag published.
template <class Handle>
class Learn : public PointStep<Handle> {
 public:
  Learn(CheckedPoint<Handle>& point, const Moment& moment, int64_t timeout)
      : PointStep<Handle>(point, moment), timeout_(timeout) {}
  void reached() override {
    world().wait_over(this->moment(), known_after_wait(this->shared(), timeout_));
  }
  void dropped() override { world().wait_dropped(this->moment(), this->shared().knowledge()); }

 private:
  const int64_t timeout_;
};

// A Learn that ends a stop of its queue.
template <class Handle>
class LearnAtStop : public Learn<Handle> {
 public:
  LearnAtStop(CheckedPoint<Handle>& point, const Moment& moment, int64_t timeout,
              CheckedQueue& queue)
      : Learn<Handle>(point, moment, timeout), queue_(queue), stop_(queue.lookahead->add_stop()) {
    queue_.retain();
  }
  ~LearnAtStop() override { queue_.release(); }
  void reached() override {
    Learn<Handle>::reached();
    queue_.lookahead->pass(stop_, Lookahead::Outcome::kOver);
  }
  void dropped() override {
    Learn<Handle>::dropped();
    queue_.lookahead->pass(stop_, Lookahead::Outcome::kDropped);
  }

 private:
  CheckedQueue& queue_;
  const uint64_t stop_;
};

template <class Handle>
int create_point(ferryx_device* device, int (*create)(ferryx_device*, Handle**), Handle** point) {
  CheckedDevice& own = checked(device);
  auto made = std::make_unique<CheckedPoint<Handle>>(own.inner, nullptr);
  const int code = create(own.handle, &made->handle);
  if (code == ACL_SUCCESS) *point = wrap<Handle>(made.release());
  return code;
}

template <class Handle>
int reach(CheckedQueue& queue, const ferryx_work& work, Handle* point) {
  const Submission submission(queue);
  const Moment moment = world().submit_point(queue.id);
  checked(point).set_place(moment);
  const int code =
      announce(queue, work.origin, std::make_unique<Publish<Handle>>(checked(point), moment));
  return code == ACL_SUCCESS ? queue.inner->queue_submit(queue.handle, InnerWork(work).get())
                             : code;
}

// A marker is reached once, so the knowledge it publishes is final once its step was reached. A
// flag can be set repeatedly, and a wait with a timeout may end without being satisfied.
bool is_known_ahead(CheckedPoint<ferryx_marker>& marker, int64_t timeout) {
  return timeout == FERRYX_FOREVER && marker.is_published();
}
bool is_known_ahead(CheckedPoint<ferryx_flag>& /*flag*/, int64_t /*timeout*/) {
  return false;
}

template <class Handle>
int wait(CheckedQueue& queue, const ferryx_work& work, Handle* point, int64_t timeout) {
  const Submission submission(queue);
  const bool is_ahead = queue.lookahead != nullptr && is_known_ahead(checked(point), timeout);
  const bool is_plain = is_ahead || queue.lookahead == nullptr;
  // The step exists before the wait is queued: a wait without its step would never end for World.
  const Moment moment = world().wait_queued(queue.id);
  StepToBe step(
      is_plain ? std::unique_ptr<Step>(new Learn<Handle>(checked(point), moment, timeout))
               : std::make_unique<LearnAtStop<Handle>>(checked(point), moment, timeout, queue));
  const int code = queue.inner->queue_submit(queue.handle, InnerWork(work).get());
  if (code != ACL_SUCCESS) return code;
  try {
    return is_plain ? announce(queue, work.origin, step.take())
                    : queue_step(queue, work.origin, step.take());
  } catch (const std::bad_alloc&) {
    // The wait stays in the queue, so the call succeeds; only World does not learn of its end.
    world().forget_everything();
    return ACL_SUCCESS;
  }
}

int marker_create(ferryx_device* device, ferryx_marker** marker) {
  return create_point(device, checked(device).inner->marker_create, marker);
}

int marker_query(ferryx_marker* marker, int* reached) {
  const int code = checked(marker).inner->marker_query(checked(marker).handle, reached);
  if (code == ACL_SUCCESS && *reached != 0) world().host_learns(known_behind(checked(marker)));
  return code;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  const int code = checked(marker).inner->marker_synchronize(checked(marker).handle, timeout);
  // A code of marker_finish also ends the wait.
  const bool is_over =
      code != ACL_ERROR_RT_EVENT_SYNC_TIMEOUT &&
      (code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT || checked(marker).is_published());
  if (is_over) world().host_learns(known_behind(checked(marker)));
  return code;
}

// Another process has reached the marker, or set the flag. What it has waited for before is not
// known, so it may be anything that is done.
int marker_finish(ferryx_marker* marker, int code) {
  checked(marker).add(world().all_done());
  return checked(marker).inner->marker_finish(checked(marker).handle, code);
}

int flag_set(ferryx_flag* flag) {
  checked(flag).add(world().all_done());
  return checked(flag).inner->flag_set(checked(flag).handle);
}

int flag_create(ferryx_device* device, ferryx_flag** flag) {
  return create_point(device, checked(device).inner->flag_create, flag);
}

int flag_clear(ferryx_flag* flag) {
  checked(flag).clear();
  return checked(flag).inner->flag_clear(checked(flag).handle);
}

}  // namespace

int submit_point(CheckedQueue& queue, const ferryx_work& work) {
  return work.kind == FERRYX_MARK ? reach(queue, work, work.as.marker.marker)
                                  : reach(queue, work, work.as.flag.flag);
}

int submit_wait(CheckedQueue& queue, const ferryx_work& work) {
  return work.kind == FERRYX_AWAIT
             ? wait(queue, work, work.as.marker.marker, work.as.marker.timeout)
             : wait(queue, work, work.as.flag.flag, work.as.flag.timeout);
}

void set_point_slots(ferryx_backend& table) {
  table.marker_create = marker_create;
  table.marker_query = marker_query;
  table.marker_synchronize = marker_synchronize;
  table.flag_create = flag_create;
  table.flag_clear = flag_clear;
  table.marker_finish = marker_finish;
  table.flag_set = flag_set;
}

}  // namespace ferry::layers::check::slots
