// SPDX-License-Identifier: Apache-2.0
// Markers and flags: who reaches one says what it knows, who waits for one learns it.
#include "layers/check/front/seam_objects.h"
#include "layers/check/front/seam_slots.h"

#include "acl/acl_base_rt.h"

namespace ferry::layers::check {
namespace {

class PointStep : public Step {
 public:
  PointStep(SharedKnowledge& shared, const Moment& moment) : shared_(shared), moment_(moment) {
    shared_.retain();
  }
  ~PointStep() override { shared_.release(); }

 protected:
  SharedKnowledge& shared() { return shared_; }
  const Moment& moment() const { return moment_; }

 private:
  SharedKnowledge& shared_;
  Moment moment_;
};

class Publish : public PointStep {
 public:
  using PointStep::PointStep;
  void reached() override { shared().add(world().publish(moment())); }
  void dropped() override { world().drop_point(moment()); }
};

// Behind a wait: the queue knows now what the other one knew.
class Learn : public PointStep {
 public:
  using PointStep::PointStep;
  void reached() override { world().wait_over(moment(), shared().knowledge()); }
  void dropped() override { world().wait_dropped(moment()); }
};

template <class Handle>
int create_point(ferryx_device* device, int (*create)(ferryx_device*, Handle**), Handle** point) {
  CheckedDevice& own = checked(device);
  Handle* inner = nullptr;
  const int code = create(own.device, &inner);
  if (code != ACL_SUCCESS) return code;
  *point = reinterpret_cast<Handle*>(new CheckedPoint<Handle>(own.inner, inner));
  return ACL_SUCCESS;
}

template <class Handle>
int reach_point(ferryx_queue* queue, const ferryx_task* task, Handle* point,
                int (*reach)(ferryx_queue*, const ferryx_task*, Handle*)) {
  CheckedQueue& own = checked(queue);
  const std::lock_guard lock(own.submitting);
  const int code = queue_step(
      own, task, std::make_unique<Publish>(checked(point), world().submit_point(own.id)));
  return code == ACL_SUCCESS ? reach(own.queue, task, checked(point).point) : code;
}

template <class Handle>
int wait_for_point(ferryx_queue* queue, const ferryx_task* task, Handle* point, int64_t timeout,
                   int (*wait)(ferryx_queue*, const ferryx_task*, Handle*, int64_t)) {
  CheckedQueue& own = checked(queue);
  const std::lock_guard lock(own.submitting);
  const int code = wait(own.queue, task, checked(point).point, timeout);
  if (code != ACL_SUCCESS) return code;
  return queue_step(own, task,
                    std::make_unique<Learn>(checked(point), world().wait_queued(own.id)));
}

}  // namespace

namespace slots {

// ---- markers ----

int marker_create(ferryx_device* device, ferryx_marker** marker) {
  return create_point(device, checked(device).inner->marker_create, marker);
}

void marker_retain(ferryx_marker* marker) {
  checked(marker).inner->marker_retain(checked(marker).point);
  checked(marker).retain();
}

void marker_release(ferryx_marker* marker) {
  checked(marker).inner->marker_release(checked(marker).point);
  checked(marker).release();
}

int queue_mark(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker) {
  return reach_point(queue, task, marker, checked(queue).inner->queue_mark);
}

int queue_await(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker,
                int64_t timeout) {
  return wait_for_point(queue, task, marker, timeout, checked(queue).inner->queue_await);
}

int marker_query(ferryx_marker* marker, int* reached) {
  const int code = checked(marker).inner->marker_query(checked(marker).point, reached);
  if (code == ACL_SUCCESS && *reached != 0) world().host_learns(checked(marker).knowledge());
  return code;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  const int code = checked(marker).inner->marker_synchronize(checked(marker).point, timeout);
  if (code == ACL_SUCCESS) world().host_learns(checked(marker).knowledge());
  return code;
}

int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
  return checked(marker).inner->marker_time(checked(marker).point, nanoseconds);
}

// ---- flags ----

int flag_create(ferryx_device* device, ferryx_flag** flag) {
  return create_point(device, checked(device).inner->flag_create, flag);
}

void flag_release(ferryx_flag* flag) {
  checked(flag).inner->flag_release(checked(flag).point);
  checked(flag).release();
}

int flag_clear(ferryx_flag* flag) {
  checked(flag).clear();
  return checked(flag).inner->flag_clear(checked(flag).point);
}

int queue_set_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag) {
  return reach_point(queue, task, flag, checked(queue).inner->queue_set_flag);
}

int queue_take_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag,
                    int64_t timeout) {
  return wait_for_point(queue, task, flag, timeout, checked(queue).inner->queue_take_flag);
}

}  // namespace slots
}  // namespace ferry::layers::check
