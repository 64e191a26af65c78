// SPDX-License-Identifier: Apache-2.0
// Each task is a callout. A wait has a queue of its own, where it awaits the marker of the event:
// which one that is, is known only when the lane gets there.
#include "core/model/external_event.h"

#include "base/log.h"
#include "core/model/lane.h"
#include "core/model/model.h"
#include "core/model/recording.h"
#include "core/service_thread.h"
#include "core/work_watcher.h"

#include <atomic>
#include <new>
#include <utility>

namespace ferry {
namespace {

// It acts on the service thread: the thread that comes to the task may be inside a call with the
// event, whose lock is held during submissions.
class ExternalAction : public QueueOwner, private ServiceJob {
 public:
  ExternalAction(Context& context, Model& model, ExternalTask task, Ref<Event> event,
                 int64_t timeout)
      : QueueOwner(context.failure()),
        ServiceJob(act_soon),
        device_(context.device()),
        model_(model),
        task_(task),
        event_(std::move(event)),
        timeout_(timeout) {}
  virtual ~ExternalAction() {
    service_thread().wait_for(job_, ServiceThread::Clock::time_point::max());
    queue_.destroy();
  }

  Status open() {
    if (task_ != ExternalTask::kWait) return {};
    const ferryx_queue_settings settings{.struct_size = sizeof settings,
                                         .priority = 0,
                                         .cookie = static_cast<QueueOwner*>(this),
                                         .stream = -1,
                                         .flags = FERRYX_QUEUE_PROMPT};
    return queue_.make(device_, settings);
  }

  static void start(void* argument, ferryx_callout* callout) {
    if (callout == nullptr) return;  // the argument stays for the next run
    auto& own = *static_cast<ExternalAction*>(argument);
    // Of a run that was dropped before the service thread came to it.
    ferryx_callout* const forgotten = own.callout_.exchange(callout);
    if (forgotten != nullptr) return forgotten->done(forgotten);
    own.job_ = service_thread().run(own);
  }

  ferryx_after_fault take_fault(const ferryx_fault& fault) override {
    model_.runs().fail_run(model_.runs().current(), fault.code,
                           FixedText("a wait for an external event failed: %s", fault.text));
    return FERRYX_CONTINUE;
  }

 private:
  static void act_soon(ServiceJob& job) {
    auto& own = static_cast<ExternalAction&>(job);
    own.act(own.callout_.exchange(nullptr));
  }

  void act(ferryx_callout* callout) noexcept {
    Status acted;
    try {
      if (task_ == ExternalTask::kWait) return await(callout);
      acted = task_ == ExternalTask::kRecord ? event_->record_now(device_) : event_->reset_now();
    } catch (const std::bad_alloc&) {
      acted = Status(ACL_ERROR_RT_MEMORY_ALLOCATION);
    }
    if (!acted.ok()) fail(acted.code());
    callout->done(callout);
  }

  void fail(aclError code) {
    model_.runs().fail_run(model_.runs().current(), code,
                           FixedText("an external event could not be used"));
  }

  void await(ferryx_callout* callout) {
    // What a run that was dropped has left behind.
    if (backend().queue_drop(queue_.get()) != ACL_SUCCESS) FERRY_LOG(kWarn, "an old wait goes on");
    Result<MarkerRef> marker = event_->marker_for_run(device_);
    int code = marker.status().code();
    if (code == ACL_SUCCESS) {
      ferryx_work work = make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                                   {.marker = (*marker).get(), .timeout = timeout_});
      work.origin = make_no_work().origin;
      code = backend().queue_submit(queue_.get(), &work);
    }
    if (code == ACL_SUCCESS) {
      ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                                   {.start = go_on, .argument = callout});
      work.origin = make_no_work().origin;
      code = backend().queue_submit(queue_.get(), &work);
    }
    if (code == ACL_SUCCESS) return;
    fail(code);
    callout->done(callout);
  }

  // The wait is over or was dropped: the lane continues, if it still waits.
  static void go_on(void* argument, ferryx_callout* own) {
    auto* const of_lane = static_cast<ferryx_callout*>(argument);
    of_lane->done(of_lane);
    if (own != nullptr) own->done(own);
  }

  const ferryx_backend& backend() const { return device_.backend(); }

  Device& device_;
  Model& model_;
  const ExternalTask task_;
  const Ref<Event> event_;
  const int64_t timeout_;
  ListedQueue queue_;
  std::atomic<ferryx_callout*> callout_{nullptr};  // of the run that waits for the service thread
  std::atomic<uint64_t> job_{0};                   // the latest
};

aclmdlRITaskType type_of(ExternalTask task) {
  switch (task) {
    case ExternalTask::kRecord:
      return ACL_MODEL_RI_TASK_EVENT_RECORD;
    case ExternalTask::kWait:
      return ACL_MODEL_RI_TASK_EVENT_WAIT;
    default:
      return ACL_MODEL_RI_TASK_EVENT_RESET;
  }
}

}  // namespace

Status record_external_task(Event& event, Stream& stream, ExternalTask task, int64_t timeout) {
  if (stream.backend().marker_finish == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
                "devices of kind %s have no external events in models", stream.backend().name);
  }
  const Recorder& recorder = *stream.recorder();
  Ref<Event> kept = HandleTable<Event>::instance().find(event.handle());
  if (!kept) {
    return fail(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "the event was destroyed during this call");
  }
  FERRY_RETURN_IF_ERROR(service_thread().start());
  auto action =
      std::make_shared<ExternalAction>(stream.context(), recorder.model, task, kept, timeout);
  FERRY_RETURN_IF_ERROR(action->open());
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = ExternalAction::start, .argument = action.get()});
  stream.fill_in_origin(work);
  RecordedTask recorded;
  recorded.type = type_of(task);
  recorded.work = WorkClone(work);
  recorded.keeps = std::move(action);
  recorded.event = std::move(kept);
  return append_task(stream, recorder, std::move(recorded));
}

}  // namespace ferry
