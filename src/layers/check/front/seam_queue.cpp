// SPDX-License-Identifier: Apache-2.0
// Queues: a step of our own stands before each task, so that the world hears of it when it starts.
#include "layers/check/calls/call.h"
#include "layers/check/front/seam_objects.h"
#include "layers/check/front/seam_slots.h"
#include "layers/check/front/seam_work.h"

#include "acl/acl_base_rt.h"

#include <string_view>

namespace ferry::layers::check {
namespace {

struct QueuedStep {
  const ferryx_backend* inner;
  std::unique_ptr<Step> step;
};

void run_step(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<QueuedStep> queued(static_cast<QueuedStep*>(argument));
  if (callout == nullptr) {
    queued->step->dropped();
    return;
  }
  queued->step->reached();
  queued->inner->callout_done(callout);
}

class TaskStarts : public Step {
 public:
  explicit TaskStarts(std::shared_ptr<Task> task) : task_(std::move(task)) {}
  void reached() override {
    world().start(*task_);
    await_told();
  }
  void dropped() override { world().drop(*task_); }

 private:
  std::shared_ptr<Task> task_;
};

// Queues a task behind the step that announces it.
template <class Submit>
int queue_task(CheckedQueue& queue, const ferryx_task* task, std::shared_ptr<Task> work,
               Submit submit) {
  work->function = task->call;
  work->site = current_site();
  const std::lock_guard lock(queue.submitting);
  world().submit(work, queue.id);
  int code = queue_step(queue, task, std::make_unique<TaskStarts>(work));
  if (code == ACL_SUCCESS) code = submit();
  if (code == ACL_SUCCESS) {
    world().accept(*work);
  } else {
    world().drop(*work);
  }
  return code;
}

struct CheckedCallout {
  const ferryx_backend* inner;
  ferryx_callout* callout;
  Moment work;
};

}  // namespace

int queue_step(CheckedQueue& queue, const ferryx_task* task, std::unique_ptr<Step> step) {
  auto queued = std::make_unique<QueuedStep>(QueuedStep{queue.inner, std::move(step)});
  const int code = queue.inner->queue_callout(queue.queue, task, run_step, queued.get());
  if (code == ACL_SUCCESS) {
    static_cast<void>(queued.release());  // run_step owns it now
  } else {
    queued->step->dropped();
  }
  return code;
}

namespace slots {

// ---- queues ----

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  CheckedDevice& own = checked(device);
  ferryx_queue* inner = nullptr;
  const int code = own.inner->queue_create(own.device, settings, &inner);
  if (code != ACL_SUCCESS) return code;
  const QueueId id = world().add_queue(own.index, [cookie = settings->cookie] {
    return cookie != nullptr && runtime_host()->before_task(cookie) == FERRYX_STOP;
  });
  note_created_queue(id);
  *queue = reinterpret_cast<ferryx_queue*>(
      new CheckedQueue{.inner = own.inner, .queue = inner, .id = id, .submitting = {}});
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  const std::unique_ptr<CheckedQueue> own(&checked(queue));
  world().remove_queue(own->id);
  own->inner->queue_destroy(own->queue);
}

int queue_copy(ferryx_queue* queue, const ferryx_task* task, const ferryx_copies* copies) {
  CheckedQueue& own = checked(queue);
  return queue_task(own, task, work_of(*copies),
                    [&] { return own.inner->queue_copy(own.queue, task, copies); });
}

int queue_copy_2d(ferryx_queue* queue, const ferryx_task* task, const ferryx_copy_2d* copy) {
  CheckedQueue& own = checked(queue);
  return queue_task(own, task, work_of(*copy),
                    [&] { return own.inner->queue_copy_2d(own.queue, task, copy); });
}

int queue_copy_described(ferryx_queue* queue, const ferryx_task* task, const void* descriptor) {
  CheckedQueue& own = checked(queue);
  return queue_task(own, task, work_of_descriptor(descriptor),
                    [&] { return own.inner->queue_copy_described(own.queue, task, descriptor); });
}

int queue_copy_indirect(ferryx_queue* queue, const ferryx_task* task,
                        const ferryx_indirect_copy* copy) {
  CheckedQueue& own = checked(queue);
  return queue_task(own, task, work_of(*copy),
                    [&] { return own.inner->queue_copy_indirect(own.queue, task, copy); });
}

int queue_fill(ferryx_queue* queue, const ferryx_task* task, const ferryx_fill* fill) {
  CheckedQueue& own = checked(queue);
  return queue_task(own, task, work_of(*fill),
                    [&] { return own.inner->queue_fill(own.queue, task, fill); });
}

// ---- functions in queue order ----

namespace {

struct HostFunction {
  const ferryx_backend* inner;
  ferryx_callout_start start;
  void* argument;
  Moment work;
};

void start_host_function(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<HostFunction> own(static_cast<HostFunction*>(argument));
  if (callout == nullptr) {
    world().host_work_over(own->work, false);
    own->start(own->argument, nullptr);
    return;
  }
  world().host_work_starts(own->work);
  auto* checked_callout = new CheckedCallout{own->inner, callout, own->work};
  own->start(own->argument, reinterpret_cast<ferryx_callout*>(checked_callout));
}

}  // namespace

int queue_callout(ferryx_queue* queue, const ferryx_task* task, ferryx_callout_start start,
                  void* argument) {
  CheckedQueue& own = checked(queue);
  const std::lock_guard lock(own.submitting);
  auto function = std::make_unique<HostFunction>(
      HostFunction{own.inner, start, argument, world().host_work_queued(own.id)});
  const int code = own.inner->queue_callout(own.queue, task, start_host_function, function.get());
  if (code == ACL_SUCCESS) {
    static_cast<void>(function.release());  // start_host_function owns it now
  } else {
    world().host_work_over(function->work, false);
  }
  return code;
}

void callout_done(ferryx_callout* callout) {
  const std::unique_ptr<CheckedCallout> own(reinterpret_cast<CheckedCallout*>(callout));
  world().host_work_over(own->work, true);
  own->inner->callout_done(own->callout);
}

namespace {

struct DeviceFunction {
  ferryx_device_function function;
  void* argument;
  Moment work;
};

void run_device_function(void* argument, int run) {
  const std::unique_ptr<DeviceFunction> own(static_cast<DeviceFunction*>(argument));
  if (run != 0) {
    world().kernel_starts(own->work);
  } else {
    world().drop_point(own->work);
  }
  own->function(own->argument, run);
  if (run != 0) world().kernel_over(own->work);
}

}  // namespace

int queue_function(ferryx_queue* queue, const ferryx_task* task, ferryx_device_function function,
                   void* argument) {
  CheckedQueue& own = checked(queue);
  const std::lock_guard lock(own.submitting);
  auto call = std::make_unique<DeviceFunction>(
      DeviceFunction{function, argument, world().submit_point(own.id)});
  const int code = own.inner->queue_function(own.queue, task, run_device_function, call.get());
  if (code == ACL_SUCCESS) {
    static_cast<void>(call.release());  // run_device_function owns it now
  } else {
    world().drop_point(call->work);
  }
  return code;
}

// ---- waiting for queues ----

// Ending a stream by force drops its work. Whoever aborts it (aclrtStreamAbort) knows that.
bool is_ended_by_force() {
  const Call* call = Call::current();
  return call != nullptr && (call->function() == Function::aclrtDestroyStreamForce ||
                             call->function() == Function::aclrtResetDeviceForce);
}

int queue_query(ferryx_queue* queue, int* done) {
  CheckedQueue& own = checked(queue);
  const uint64_t number = world().submitted(own.id);
  const int code = own.inner->queue_query(own.queue, done);
  if (code == ACL_SUCCESS && *done != 0) world().host_learns(own.id, number);
  return code;
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  CheckedQueue& own = checked(queue);
  const uint64_t number = world().submitted(own.id);
  const int code = own.inner->queue_synchronize(own.queue, timeout);
  const bool is_over = code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT;
  if (is_over) world().host_learns(own.id, number);
  return code;
}

int queue_abort(ferryx_queue* queue) {
  CheckedQueue& own = checked(queue);
  if (is_ended_by_force()) world().end_queue(own.id);
  const uint64_t number = world().submitted(own.id);
  const int code = own.inner->queue_abort(own.queue);
  if (code == ACL_SUCCESS) world().host_learns(own.id, number);
  return code;
}

int queue_drop(ferryx_queue* queue) {
  CheckedQueue& own = checked(queue);
  const uint64_t number = world().submitted(own.id);
  const int code = own.inner->queue_drop(own.queue);
  if (code == ACL_SUCCESS) world().host_learns(own.id, number);
  return code;
}

}  // namespace slots
}  // namespace ferry::layers::check
