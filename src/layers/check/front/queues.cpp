// SPDX-License-Identifier: Apache-2.0
// Queues: World is told of each task before it executes, by a step in the queue or by a lookahead.
#include "base/work.h"
#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/ranges_of_work.h"
#include "layers/check/report/report.h"

#include "acl/acl_base_rt.h"

namespace ferry::layers::check {
namespace {

void run_step(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Step> step(static_cast<Step*>(argument));
  if (callout == nullptr) return step->dropped();
  step->reached();
  callout->done(callout);
}

class TaskStarts : public Step {
 public:
  explicit TaskStarts(std::shared_ptr<Task> task) : task_(std::move(task)) {}
  void reached() override {
    world().start(*task_);
    await_told();
  }
  void dropped() override { world().drop(*task_); }

 protected:
  const Task& task() const { return *task_; }

 private:
  std::shared_ptr<Task> task_;
};

// A task that stores a value: whatever waits for the value relies on the task and all before it.
class StoreStarts : public TaskStarts {
 public:
  StoreStarts(std::shared_ptr<Task> task, const ferryx_value& stored)
      : TaskStarts(std::move(task)), stored_(stored) {}
  void reached() override {
    TaskStarts::reached();
    world().value_stored(task().moment, stored_.address, stored_.value);
  }

 private:
  const ferryx_value stored_;
};

std::unique_ptr<Step> start_of(const std::shared_ptr<Task>& task, const ferryx_work& work) {
  if (work.kind != FERRYX_WRITE_VALUE) return std::make_unique<TaskStarts>(task);
  return std::make_unique<StoreStarts>(task, work.as.value);
}

// Tells World what became of a task, also if the backend throws.
struct SubmittedTask {
  explicit SubmittedTask(const std::shared_ptr<Task>& of) : task(of) {}
  ~SubmittedTask() {
    if (is_accepted) {
      world().accept(task);
    } else {
      world().drop(*task);
    }
  }
  SubmittedTask(const SubmittedTask&) = delete;
  SubmittedTask& operator=(const SubmittedTask&) = delete;

  const std::shared_ptr<Task>& task;
  bool is_accepted = false;
};

}  // namespace

int submit_task(CheckedQueue& queue, const ferryx_work& work) {
  const std::shared_ptr<Task> task = task_of(work);
  task->function = work.origin.call;
  task->site = site_of_work(queue, work);
  if (queue.run != nullptr) task->correlation = work.origin.correlation;
  task->is_told_ahead = queue.lookahead != nullptr;
  std::unique_ptr<Step> step = start_of(task, work);
  const Submission submission(queue);
  world().submit(task, queue.id);
  SubmittedTask submitted{task};
  int code = announce(queue, work.origin, std::move(step));
  if (code == ACL_SUCCESS) code = queue.inner->queue_submit(queue.handle, &work);
  submitted.is_accepted = code == ACL_SUCCESS;
  return code;
}

CheckedQueue::CheckedQueue(const ferryx_backend* backend, ferryx_queue* queue, QueueId number)
    : Wrapped(backend, queue),
      id(number),
      lookahead((backend->capabilities & FERRYX_CHEAP_CALLOUTS) != 0
                    ? nullptr
                    : std::make_unique<Lookahead>()) {}

int queue_step(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step) {
  StepToBe to_be(std::move(step));
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = run_step, .argument = to_be.get()});
  work.origin = origin;
  work.origin.correlation = 0;  // that of the program's work is reported once
  const int code = queue.inner->queue_submit(queue.handle, &work);
  if (code == ACL_SUCCESS) static_cast<void>(to_be.take().release());  // run_step owns it now
  return code;
}

int announce(CheckedQueue& queue, const ferryx_origin& origin, std::unique_ptr<Step> step) {
  if (queue.lookahead == nullptr) return queue_step(queue, origin, std::move(step));
  queue.lookahead->tell(std::move(step));
  return ACL_SUCCESS;
}

namespace slots {
namespace {

// ---- queues ----

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  CheckedDevice& own = checked(device);
  auto made = std::make_unique<CheckedQueue>(own.inner, nullptr, kHost);
  const int code = own.inner->queue_create(own.handle, settings, &made->handle);
  if (code != ACL_SUCCESS) return code;
  const auto is_stopped = [cookie = settings->cookie] {
    return cookie != nullptr && runtime_services()->before_work(cookie) == FERRYX_STOP;
  };
  const bool is_lane = (settings->flags & FERRYX_QUEUE_PROMPT) != 0;
  if (!is_lane) extent.streams.fetch_add(1, std::memory_order_relaxed);
  made->id = world().add_queue(own.number, settings->stream, is_stopped, is_lane);
  *queue = wrap<ferryx_queue>(made.release());
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  CheckedQueue& own = checked(queue);
  world().remove_queue(own.id);
  own.inner->queue_destroy(own.handle);
  own.release();
}

int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  switch (work->kind) {
    case FERRYX_COPIES:
    case FERRYX_ROWS:
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
    case FERRYX_FILL:
    case FERRYX_REDUCE:
    case FERRYX_WRITE_VALUE:
      return submit_task(checked(queue), *work);
    case FERRYX_CALLOUT:
      return submit_callout(checked(queue), *work);
    case FERRYX_FUNCTION:
      return submit_function(checked(queue), *work);
    case FERRYX_KERNEL:
      return submit_kernel(checked(queue), *work);
    case FERRYX_MARK:
    case FERRYX_SET_FLAG:
      return submit_point(checked(queue), *work);
    case FERRYX_AWAIT:
    case FERRYX_TAKE_FLAG:
      return submit_wait(checked(queue), *work);
    case FERRYX_AWAIT_VALUE:
      return submit_value_wait(checked(queue), *work);
    default:  // the backend decides whether to refuse it
      return checked(queue).inner->queue_submit(checked(queue).handle, work);
  }
}

// ---- waiting for queues ----

// Ending a stream by force drops its work. A program that aborts it (aclrtStreamAbort) knows that.
bool is_ended_by_force() {
  const Call* call = Call::current();
  return call != nullptr && (call->function() == Function::aclrtDestroyStreamForce ||
                             call->function() == Function::aclrtResetDeviceForce);
}

// Calls a slot whose result may show that all work submitted so far is done; `is_over` decides.
// Work that World knows and the backend does not know yet is not part of it.
template <class Slot, class IsOver>
int learn_from(ferryx_queue* queue, Slot slot, IsOver is_over) {
  CheckedQueue& own = checked(queue);
  const uint64_t number = own.accepted.load();
  const int code = slot(own);
  if (is_over(code)) world().host_learns(own.id, number);
  return code;
}

bool is_success(int code) {
  return code == ACL_SUCCESS;
}

int queue_query(ferryx_queue* queue, int* done) {
  return learn_from(
      queue, [&](CheckedQueue& own) { return own.inner->queue_query(own.handle, done); },
      [&](int code) { return code == ACL_SUCCESS && *done != 0; });
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  return learn_from(
      queue, [&](CheckedQueue& own) { return own.inner->queue_synchronize(own.handle, timeout); },
      [](int code) { return code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT; });
}

int empty(ferryx_queue* queue, int (*slot)(ferryx_queue*)) {
  world().lane_emptied(checked(queue).id);
  return learn_from(
      queue,
      [&](CheckedQueue& own) {
        if (own.lookahead != nullptr) own.lookahead->note_abort();
        return slot(own.handle);
      },
      is_success);
}

int queue_abort(ferryx_queue* queue) {
  if (is_ended_by_force()) world().end_queue(checked(queue).id);
  return empty(queue, checked(queue).inner->queue_abort);
}

int queue_drop(ferryx_queue* queue) {
  return empty(queue, checked(queue).inner->queue_drop);
}

}  // namespace

void set_queue_slots(ferryx_backend& table) {
  table.queue_create = queue_create;
  table.queue_destroy = queue_destroy;
  table.queue_submit = queue_submit;
  table.queue_query = queue_query;
  table.queue_synchronize = queue_synchronize;
  table.queue_abort = queue_abort;
  table.queue_drop = queue_drop;
}

}  // namespace slots
}  // namespace ferry::layers::check
