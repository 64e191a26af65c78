// SPDX-License-Identifier: Apache-2.0
// Forks and joins. All of it happens under the lock of recordings.
#include "core/model/captured_event.h"

#include "core/model/capture.h"
#include "core/model/external_event.h"
#include "core/model/lane.h"
#include "core/model/model.h"

#include <algorithm>
#include <utility>

namespace ferry {
namespace {

using Form = RecordedTask::Form;

RecordedTask event_task(Event& event, Stream& stream, Form form, aclmdlRITaskType type) {
  ferryx_work work = make_no_work();
  stream.fill_in_origin(work);
  RecordedTask task;
  task.form = form;
  task.type = type;
  task.work = WorkClone(work);
  task.event = HandleTable<Event>::instance().find(event.handle());
  return task;
}

Status add_event_task(Stream& stream, const Recorder& recorder, RecordedTask task, bool& is_added) {
  if (!task.event) {
    return fail(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "the event was destroyed during this call");
  }
  RecordedTask* added = nullptr;
  FERRY_RETURN_IF_ERROR(append_task(stream, recorder, std::move(task), &added));
  is_added = added != nullptr;
  return {};
}

TaskPlace last_of(const Recorder& recorder) {
  return {.lane = recorder.lane,
          .task = recorder.model.group().lanes()[recorder.lane]->tasks.size() - 1};
}

bool is_default(const Stream& stream) {
  const Ref<Stream> default_stream = stream.context().default_stream();
  return default_stream && default_stream->handle() == stream.handle();
}

bool is_external(const Event& event) {
  return event.kind() == Event::Kind::kFlagged && (event.flags() & ACL_EVENT_EXTERNAL) != 0;
}

Status fail_kind_of_event(const Event& event) {
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event.handle()))
      .because(
          " is of a kind that cannot be used on a stream which is recorded in a model: make it "
          "with "
          "aclrtCreateEventExWithFlag and ACL_EVENT_SYNC");
}

Status fail_default_stream(const Event& event) {
  return reject(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, kEE1017, "event",
                Value::beside(event.handle()))
      .because(" is in a capture, which the default stream cannot join");
}

// Ex events that order streams; the others are refused, or do nothing.
bool orders_streams(const Event& event) {
  return event.kind() == Event::Kind::kEx && event.ipc() == nullptr &&
         (event.flags() & ACL_EVENT_SYNC) != 0;
}

Status fork(Event& event, Stream& stream, const Recorder& recorder) {
  bool is_added = false;
  FERRY_RETURN_IF_ERROR(add_event_task(
      stream, recorder, event_task(event, stream, Form::kFork, ACL_MODEL_RI_TASK_EVENT_RECORD),
      is_added));
  if (!is_added) return {};
  recorder.model.events.push_back(HandleTable<Event>::instance().find(event.handle()));
  event.point = {.model = &recorder.model, .place = last_of(recorder)};
  return {};
}

Status join(Event& event, Stream& stream, const Recorder& recorder) {
  bool is_added = false;
  FERRY_RETURN_IF_ERROR(add_event_task(
      stream, recorder, event_task(event, stream, Form::kJoin, ACL_MODEL_RI_TASK_EVENT_WAIT),
      is_added));
  if (!is_added || event.point.place.lane == recorder.lane) return {};
  recorder.model.group().edges.push_back({.from = event.point.place, .to = last_of(recorder)});
  return {};
}

// The stream is not recorded, and the event is in a capture.
Status join_capture(Event& event, Stream& stream) {
  FERRY_RETURN_IF_ERROR(check_flags_for_capture(stream));
  if (is_default(stream)) return fail_default_stream(event);
  Model& model = *event.point.model;
  if (&stream.context() != &model.context()) {
    return reject(ACL_ERROR_RT_STREAM_CONTEXT, kEE1010, "stream", Value::beside(stream.handle()))
        .because(" (id %d) belongs to another context than the capture that event %u is in",
                 stream.id(), event.id());
  }
  model.join(stream);
  return join(event, stream, *stream.recorder());
}

Status wait_on_recorded_stream(Event& event, Stream& stream, const Recorder& recorder) {
  Model* const other = event.point.model;
  if (other == &recorder.model) return join(event, stream, recorder);
  if (other != nullptr) {
    other->set_state(Model::State::kInvalidated);
    recorder.model.set_state(Model::State::kInvalidated);
    return reject(ACL_ERROR_STREAM_CAPTURE_CONFLICT, kEE1016, "event",
                  Value::beside(event.handle()))
        .because(
            " (id %u) is in another capture than stream %d: captures cannot wait for each other; "
            "both are invalid now",
            event.id(), stream.id());
  }
  if (!event.latest()) return {};  // never recorded
  return reject(ACL_ERROR_RT_CAPTURE_DEPENDENCY, kEE1016, "event", Value::beside(event.handle()))
      .because(
          " (id %u) was recorded outside of the capture of stream %d, which cannot wait for it: "
          "record it on a stream of the capture",
          event.id(), stream.id());
}

}  // namespace

std::optional<Status> record_in_model(Event& event, Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr) {
    if (event.point.model == nullptr) return {};
    if (is_default(stream)) return fail_default_stream(event);
    event.point = {};  // from now on an ordinary record counts
    return {};
  }
  if (orders_streams(event)) return fork(event, stream, *recorder);
  if (is_external(event)) return record_external_task(event, stream, ExternalTask::kRecord);
  if (event.kind() == Event::Kind::kEx && event.ipc() == nullptr) return Status();
  return fail_kind_of_event(event);
}

std::optional<Status> wait_in_model(Event& event, Stream& stream, int64_t timeout) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr) {
    const Model* const model = event.point.model;
    if (model == nullptr || model->kind() == Model::Kind::kBuilt) return {};
    return join_capture(event, stream);
  }
  if (orders_streams(event)) return wait_on_recorded_stream(event, stream, *recorder);
  if (is_external(event)) return record_external_task(event, stream, ExternalTask::kWait, timeout);
  return fail_kind_of_event(event);
}

std::optional<Status> reset_in_model(Event& event, Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  if (stream.recorder() == nullptr) return {};
  if (is_external(event)) return record_external_task(event, stream, ExternalTask::kReset);
  return fail_kind_of_event(event);
}

Status use_external_event(Event& event, Stream& stream, ExternalUse use) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder != nullptr && recorder->model.kind() == Model::Kind::kBranch) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event.handle()))
        .because(" cannot be used as an external event in a branch of a condition");
  }
  if (recorder == nullptr) {
    return reject(ACL_ERROR_RT_STREAM_NOT_CAPTURED, kEE1018, "stream",
                  Value::beside(stream.handle()))
        .because(" is not in a capture, and the flag EXTERNAL has a meaning only there");
  }
  for (const auto& lane : recorder->model.group().lanes()) {
    const bool is_used = std::any_of(lane->tasks.begin(), lane->tasks.end(), [&](const auto& task) {
      return task.event.get() == &event && (task.form == Form::kMark || task.form == Form::kAwait);
    });
    if (is_used) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "event", Value::beside(event.handle()))
          .because(" is used as an external event in this model already: once is allowed");
    }
  }
  const bool is_record = use == ExternalUse::kRecord;
  RecordedTask task =
      event_task(event, stream, is_record ? Form::kMark : Form::kAwait,
                 is_record ? ACL_MODEL_RI_TASK_EVENT_RECORD : ACL_MODEL_RI_TASK_EVENT_WAIT);
  task.event_use = 1;
  bool is_added = false;
  return add_event_task(stream, *recorder, std::move(task), is_added);
}

Status check_not_captured(Event& event) {
  if (!is_anything_captured()) return {};
  const std::lock_guard lock(recordings_mutex());
  if (event.point.model == nullptr) return {};
  return reject(ACL_ERROR_RT_EVENT_CAPTURED, kEE1016, "event", Value::beside(event.handle()))
      .because(" (id %u) was recorded in a capture that has not ended", event.id());
}

}  // namespace ferry
