// SPDX-License-Identifier: Apache-2.0
// Markers and flags: who reaches one says what it knows, who waits for one learns it.
#include "layers/check/seam_objects.h"
#include "layers/check/seam_slots.h"

#include "acl/acl_base_rt.h"

namespace ferry::layers::check {
namespace {

template <class Point>
class Publish : public Step {
 public:
  Publish(Point& point, const Moment& moment) : point_(point), moment_(moment) {
    point_.users.fetch_add(1, std::memory_order_relaxed);
  }
  ~Publish() override { release(point_); }
  void reached() override {
    Knowledge knowledge = world().publish(moment_);
    const std::lock_guard lock(point_.mutex);
    point_.knowledge.join(knowledge);
  }
  void dropped() override { world().drop_point(moment_); }

 private:
  Point& point_;
  Moment moment_;
};

// Behind a wait: the queue knows now what the other one knew.
template <class Point>
class Learn : public Step {
 public:
  Learn(Point& point, const Moment& moment) : point_(point), moment_(moment) {
    point_.users.fetch_add(1, std::memory_order_relaxed);
  }
  ~Learn() override { release(point_); }
  void reached() override {
    Knowledge knowledge;
    {
      const std::lock_guard lock(point_.mutex);
      knowledge = point_.knowledge;
    }
    world().wait_over(moment_, knowledge);
  }
  void dropped() override { world().wait_dropped(moment_); }

 private:
  Point& point_;
  Moment moment_;
};

}  // namespace

namespace slots {

// ---- markers ----

int marker_create(ferryx_device* device, ferryx_marker** marker) {
  CheckedDevice& own = checked(device);
  ferryx_marker* inner = nullptr;
  const int code = own.inner->marker_create(own.device, &inner);
  if (code != ACL_SUCCESS) return code;
  *marker = reinterpret_cast<ferryx_marker*>(new CheckedMarker(own.inner, inner));
  return ACL_SUCCESS;
}

void marker_retain(ferryx_marker* marker) {
  CheckedMarker& own = checked(marker);
  own.inner->marker_retain(own.marker);
  own.users.fetch_add(1, std::memory_order_relaxed);
}

void marker_release(ferryx_marker* marker) {
  CheckedMarker& own = checked(marker);
  own.inner->marker_release(own.marker);
  release(own);
}

int queue_mark(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker) {
  CheckedQueue& own = checked(queue);
  CheckedMarker& point = checked(marker);
  const std::lock_guard lock(own.submitting);
  const int code = queue_step(
      own, task, std::make_unique<Publish<CheckedMarker>>(point, world().submit_point(own.id)));
  return code == ACL_SUCCESS ? own.inner->queue_mark(own.queue, task, point.marker) : code;
}

int queue_await(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker,
                int64_t timeout) {
  CheckedQueue& own = checked(queue);
  CheckedMarker& point = checked(marker);
  const std::lock_guard lock(own.submitting);
  const int code = own.inner->queue_await(own.queue, task, point.marker, timeout);
  if (code != ACL_SUCCESS) return code;
  return queue_step(own, task,
                    std::make_unique<Learn<CheckedMarker>>(point, world().wait_queued(own.id)));
}

namespace {

void host_learns_of(CheckedMarker& point) {
  Knowledge knowledge;
  {
    const std::lock_guard lock(point.mutex);
    knowledge = point.knowledge;
  }
  world().host_learns(knowledge);
}

}  // namespace

int marker_query(ferryx_marker* marker, int* reached) {
  CheckedMarker& own = checked(marker);
  const int code = own.inner->marker_query(own.marker, reached);
  if (code == ACL_SUCCESS && *reached != 0) host_learns_of(own);
  return code;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  CheckedMarker& own = checked(marker);
  const int code = own.inner->marker_synchronize(own.marker, timeout);
  if (code == ACL_SUCCESS) host_learns_of(own);
  return code;
}

int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
  return checked(marker).inner->marker_time(checked(marker).marker, nanoseconds);
}

// ---- flags ----

int flag_create(ferryx_device* device, ferryx_flag** flag) {
  CheckedDevice& own = checked(device);
  ferryx_flag* inner = nullptr;
  const int code = own.inner->flag_create(own.device, &inner);
  if (code != ACL_SUCCESS) return code;
  *flag = reinterpret_cast<ferryx_flag*>(new CheckedFlag(own.inner, inner));
  return ACL_SUCCESS;
}

void flag_release(ferryx_flag* flag) {
  CheckedFlag& own = checked(flag);
  own.inner->flag_release(own.flag);
  release(own);
}

int flag_clear(ferryx_flag* flag) {
  CheckedFlag& own = checked(flag);
  {
    const std::lock_guard lock(own.mutex);
    own.knowledge = {};
  }
  return own.inner->flag_clear(own.flag);
}

int queue_set_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag) {
  CheckedQueue& own = checked(queue);
  CheckedFlag& point = checked(flag);
  const std::lock_guard lock(own.submitting);
  const int code = queue_step(
      own, task, std::make_unique<Publish<CheckedFlag>>(point, world().submit_point(own.id)));
  return code == ACL_SUCCESS ? own.inner->queue_set_flag(own.queue, task, point.flag) : code;
}

int queue_take_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag,
                    int64_t timeout) {
  CheckedQueue& own = checked(queue);
  CheckedFlag& point = checked(flag);
  const std::lock_guard lock(own.submitting);
  const int code = own.inner->queue_take_flag(own.queue, task, point.flag, timeout);
  if (code != ACL_SUCCESS) return code;
  return queue_step(own, task,
                    std::make_unique<Learn<CheckedFlag>>(point, world().wait_queued(own.id)));
}

}  // namespace slots
}  // namespace ferry::layers::check
