// SPDX-License-Identifier: Apache-2.0
// Markers and flags: reaching one publishes the queue's knowledge; waiting on it joins that
// knowledge.
#include "layers/check/front/checked_objects.h"

#include "acl/acl_base_rt.h"

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
  SharedKnowledge& shared() { return point_; }
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
  void dropped() override { world().drop_point(this->moment()); }
};

// Behind a wait: the queue joins the knowledge that the marker or flag published.
template <class Handle>
class Learn : public PointStep<Handle> {
 public:
  using PointStep<Handle>::PointStep;
  void reached() override { world().wait_over(this->moment(), this->shared().knowledge()); }
  void dropped() override { world().wait_dropped(this->moment()); }
};

// A Learn that ends a stop of its queue.
template <class Handle>
class LearnAtStop : public Learn<Handle> {
 public:
  LearnAtStop(CheckedPoint<Handle>& point, const Moment& moment, CheckedQueue& queue)
      : Learn<Handle>(point, moment), queue_(queue), stop_(queue.lookahead->add_stop()) {
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
  Handle* inner = nullptr;
  const int code = create(own.handle, &inner);
  if (code == ACL_SUCCESS) *point = wrap<Handle>(new CheckedPoint<Handle>(own.inner, inner));
  return code;
}

template <class Handle>
int reach(CheckedQueue& queue, const ferryx_work& work, Handle* point) {
  const std::lock_guard lock(queue.submitting);
  const int code =
      announce(queue, work.origin,
               std::make_unique<Publish<Handle>>(checked(point), world().submit_point(queue.id)));
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
  const std::lock_guard lock(queue.submitting);
  const bool is_ahead = queue.lookahead != nullptr && is_known_ahead(checked(point), timeout);
  const int code = queue.inner->queue_submit(queue.handle, InnerWork(work).get());
  if (code != ACL_SUCCESS) return code;
  const Moment moment = world().wait_queued(queue.id);
  if (is_ahead || queue.lookahead == nullptr) {
    return announce(queue, work.origin, std::make_unique<Learn<Handle>>(checked(point), moment));
  }
  return queue_step(queue, work.origin,
                    std::make_unique<LearnAtStop<Handle>>(checked(point), moment, queue));
}

int marker_create(ferryx_device* device, ferryx_marker** marker) {
  return create_point(device, checked(device).inner->marker_create, marker);
}

int marker_query(ferryx_marker* marker, int* reached) {
  const int code = checked(marker).inner->marker_query(checked(marker).handle, reached);
  if (code == ACL_SUCCESS && *reached != 0) world().host_learns(checked(marker).knowledge());
  return code;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  const int code = checked(marker).inner->marker_synchronize(checked(marker).handle, timeout);
  if (code == ACL_SUCCESS) world().host_learns(checked(marker).knowledge());
  return code;
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
}

}  // namespace ferry::layers::check::slots
