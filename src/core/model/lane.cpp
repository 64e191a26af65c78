// SPDX-License-Identifier: Apache-2.0
// The queue of a lane. Its last work is a callout, the end, which tells the group that the lane is
// over. Invariant: while a lane runs, one end is queued, or its drain is under way.
#include "core/model/lane.h"

#include "base/log.h"
#include "core/event.h"
#include "core/model/lane_group.h"
#include "core/stream.h"

#include <new>
#include <utility>

namespace ferry {
namespace {

void do_nothing(void* /*argument*/, ferryx_callout* callout) {
  if (callout != nullptr) callout->done(callout);
}

}  // namespace

ferryx_work make_no_work() {
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = do_nothing, .argument = nullptr});
  work.origin = {.call = "ferry", .task = 0, .stream = -1, .context = nullptr, .correlation = 0};
  return work;
}

bool QueueOwner::is_stopped() const {
  return of_context_.has_failed() || is_stopped_.load(std::memory_order_acquire);
}

Lane::Lane(const Ref<Context>& context, LaneGroup& group, const Stream& of)
    : QueueOwner(context->failure()),
      stream_id(of.id()),
      stream(of.handle()),
      priority(of.priority()),
      context_(context),
      group_(group),
      id_(take_stream_id()),
      drain_(*this) {}

Lane::~Lane() {
  if (backend().work_forgotten != nullptr) {
    for (const RecordedTask& task : tasks)
      backend().work_forgotten(context_->device().handle(), &*task.work);
  }
  queue_.destroy();
}

Status Lane::open() {
  const ferryx_queue_settings settings{.struct_size = sizeof settings,
                                       .priority = priority,
                                       .cookie = static_cast<QueueOwner*>(this),
                                       .stream = id_,
                                       .flags = FERRYX_QUEUE_PROMPT};
  return queue_.make(context_->device(), settings);
}

void Lane::close_works() {
  works_.push_back(
      make_work(FERRYX_CALLOUT, &ferryx_payload::callout, {.start = end, .argument = this}));
  works_.back().origin = {.call = "aclmdlRIExecuteAsync",
                          .task = static_cast<uint32_t>(tasks.size()),
                          .stream = id_,
                          .context = context_->handle(),
                          .correlation = 0};
}

int Lane::submit_all(const ferryx_work* works, size_t count) {
  const ferryx_backend& table = tapped();
  if (table.queue_submit_all != nullptr) return table.queue_submit_all(queue_.get(), works, count);
  for (size_t i = 0; i < count; ++i) {
    if (const int code = table.queue_submit(queue_.get(), works + i); code != ACL_SUCCESS)
      return code;
  }
  return ACL_SUCCESS;
}

void Lane::join_run(uint64_t number) {
  if (backend().queue_join_run != nullptr) backend().queue_join_run(queue_.get(), number);
}

Status Lane::submit(size_t first_work) {
  int code = ACL_ERROR_RT_MEMORY_ALLOCATION;
  begin_submission();
  try {
    const WatchedRun run = group_.watch_run();
    code = submit_all(works_.data() + first_work, works_.size() - first_work);
  } catch (const std::bad_alloc&) {
    FERRY_LOG(kWarn, "host memory is exhausted: a lane of a model cannot be queued");
  }
  end_submission();
  if (code == ACL_SUCCESS) return {};
  // Some works may have been submitted, but not the end, which comes last.
  empty(Emptying::kDrop);
  drain_soon();
  return Status(code);
}

void Lane::begin_submission() {
  const std::lock_guard lock(submission_mutex_);
  is_submitting_ = true;
}

void Lane::end_submission() {
  Deferred deferred;
  {
    const std::lock_guard lock(submission_mutex_);
    is_submitting_ = false;
    deferred = std::exchange(deferred_, {});
  }
  if (deferred.function != nullptr) deferred.function(deferred.argument);
}

void Lane::run_when_submitted(void (*function)(void*), void* argument) {
  {
    const std::lock_guard lock(submission_mutex_);
    if (is_submitting_) {
      deferred_ = {.function = function, .argument = argument};
      return;
    }
  }
  function(argument);
}

void Lane::empty(Emptying how) {
  set_stopped(true);
  const int code = how == Emptying::kAbort ? backend().queue_abort(queue_.get())
                                           : backend().queue_drop(queue_.get());
  if (code != ACL_SUCCESS) FERRY_LOG(kWarn, "the work of lane %d could not be dropped", id_);
}

void Lane::mark(ferryx_marker* marker, const ferryx_origin& origin) {
  ferryx_work work =
      make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker, .timeout = 0});
  work.origin = origin;
  if (tapped().queue_submit(queue_.get(), &work) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "the record of an event in a run that was dropped is never reached");
  }
}

void Lane::end(void* argument, ferryx_callout* callout) {
  Lane& lane = *static_cast<Lane*>(argument);
  if (callout == nullptr) return lane.drain_soon();
  callout->done(callout);
  lane.group_.lane_is_over();
}

// One job serves all ends that are dropped before it runs.
void Lane::drain_soon() {
  if (ends_to_drain_.fetch_add(1, std::memory_order_acq_rel) == 0) service_thread().run(drain_);
}

void Lane::Drain::run_drain(ServiceJob& job) {
  Lane& lane = static_cast<Drain&>(job).lane;
  // An abort ends the wait early. A lane that was started again meanwhile counts its own end.
  if (lane.is_stopped()) {
    while (lane.backend().queue_synchronize(lane.queue_.get(), FERRYX_FOREVER) ==
           ACL_ERROR_RT_STREAM_ABORT) {
    }
  }
  LaneGroup& group = lane.group_;
  for (uint32_t ends = lane.ends_to_drain_.exchange(0, std::memory_order_acq_rel); ends > 0; --ends)
    group.lane_is_over();
}

void Lane::skip_rest() {
  if (backend().queue_drop(queue_.get()) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "the rest of lane %d could not be dropped", id_);
  }
}

ferryx_after_fault Lane::take_fault(const ferryx_fault& fault) {
  set_stopped(true);
  group_.take_fault(*this, fault);
  return FERRYX_STOP;
}

}  // namespace ferry
