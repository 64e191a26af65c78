// SPDX-License-Identifier: Apache-2.0
// The task is a callout. Where callouts stall a queue, a mark that nobody wants now is a task that
// does nothing.
#include "core/profile/stream_mark.h"

#include "base/work.h"
#include "core/cache_operation.h"
#include "core/model/repeated_work.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry {
namespace {

// Read-only once it is submitted, so it could run more than once.
struct QueuedMark {
  Annotation annotation;
  ferryx_work work;  // its origin is filled in by Stream::submit, before a queue can run it
};

void run_mark(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<std::shared_ptr<const QueuedMark>> held(
      static_cast<std::shared_ptr<const QueuedMark>*>(argument));
  if (callout == nullptr) return;  // the task was dropped
  const QueuedMark& mark = **held;
  Annotation annotation = mark.annotation;
  annotation.stream = mark.work.origin.stream;
  annotation.task = mark.work.origin.task;
  annotation.correlation = mark.work.origin.correlation;
  record(annotation);
  callout->done(callout);
}

void run_recorded_mark(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Annotation> mark(static_cast<Annotation*>(argument));
  if (callout == nullptr) return;
  record(*mark);
  callout->done(callout);
}

// Each run of the model notes the mark again.
Status record_mark(Stream& stream, const Annotation& annotation) {
  Annotation mark = annotation;
  mark.thread = thread_number();
  mark.stream = stream.id();
  return record_callout(stream, run_recorded_mark, mark);
}

}  // namespace

Status submit_mark(Stream& stream, const Annotation& annotation) {
  const bool is_cheap = (stream.backend().capabilities & FERRYX_CHEAP_CALLOUTS) != 0;
  if (!is_cheap && !is_wanted(annotation.kind)) return submit_cache_operation(stream);
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  if (stream.recorder() != nullptr) return record_mark(stream, annotation);
  auto mark = std::make_shared<QueuedMark>();
  mark->annotation = annotation;
  mark->annotation.thread = thread_number();
  // The task may be over before the submission returns: this function keeps the work alive.
  auto held = std::make_unique<std::shared_ptr<const QueuedMark>>(mark);
  mark->work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                         {.start = run_mark, .argument = held.get()});
  const Status queued = stream.submit(mark->work);
  if (queued.ok()) static_cast<void>(held.release());  // run_mark owns it now
  return queued;
}

}  // namespace ferry
