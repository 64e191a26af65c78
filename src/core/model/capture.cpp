// SPDX-License-Identifier: Apache-2.0
// Beginning and ending captures. Everything about a capture happens under the lock of recordings.
#include "core/model/capture.h"

#include "core/event.h"
#include "core/model/condition.h"
#include "core/model/recording.h"
#include "core/model/task_group.h"

#include <mutex>
#include <utility>
#include <vector>

namespace ferry {
namespace {

using Form = RecordedTask::Form;

// Streams leave and the model goes, unless it is built.
struct EndedCapture {
  explicit EndedCapture(Model& of) : model(of) {
    model.release_streams();
    active_captures.fetch_sub(1, std::memory_order_release);
  }
  ~EndedCapture() {
    if (is_good) return;
    for (const Ref<Model>& branch : model.branches)
      if (branch->is_recorded()) EndedCapture{*branch};
    if (model.kind() == Model::Kind::kBranch) {
      model.set_state(Model::State::kFault);
    } else {
      model.remove();
    }
  }
  EndedCapture(const EndedCapture&) = delete;
  EndedCapture& operator=(const EndedCapture&) = delete;

  Model& model;
  bool is_good = false;
};

Status check_thread(const Model& model) {
  if (model.capture.mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return {};
  if (model.capture.thread == number_of_thread()) return {};
  return fail(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, kEE1016,
              "another thread has begun the capture, whose mode is not "
              "ACL_MODEL_RI_CAPTURE_MODE_RELAXED; it is discarded");
}

Status check_valid(const Model& model) {
  if (model.state() != Model::State::kInvalidated) return {};
  return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, kEE1016,
              "the capture is invalid after an earlier error; it is discarded");
}

// Which lanes come back to the first one, the origin: their last task is the record of an event
// that a lane which comes back waits for.
std::vector<bool> joined_lanes(LaneGroup& group) {
  std::vector<bool> is_joined(group.lanes().size(), false);
  is_joined[0] = true;
  const auto joins_one = [&](const LaneGroup::Edge& edge) {
    return !is_joined[edge.from.lane] && is_joined[edge.to.lane] &&
           edge.from.task + 1 == group.lanes()[edge.from.lane]->tasks.size();
  };
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const LaneGroup::Edge& edge : group.edges) {
      if (!joins_one(edge)) continue;
      is_joined[edge.from.lane] = true;
      has_changed = true;
    }
  }
  return is_joined;
}

Status check_joined(Model& model) {
  LaneGroup& group = model.group();
  const std::vector<bool> is_joined = joined_lanes(group);
  for (size_t i = 0; i < is_joined.size(); ++i) {
    if (is_joined[i]) continue;
    const Lane& lane = *group.lanes()[i];
    const bool ends_with_record = !lane.tasks.empty() && lane.tasks.back().form == Form::kFork;
    if (ends_with_record) {
      return fail(ACL_ERROR_RT_STREAM_UNJOINED, kEE1017,
                  "stream %d has joined the capture and does not come back: no stream on a way to "
                  "stream %d, where the capture began, waits for event %u, its last task",
                  lane.stream_id, group.lanes()[0]->stream_id, lane.tasks.back().event->id());
    }
    return fail(ACL_ERROR_RT_STREAM_UNJOINED, kEE1017,
                "stream %d has joined the capture and does not come back: record an event on it as "
                "its last task, and let stream %d, where the capture began, wait for that",
                lane.stream_id, group.lanes()[0]->stream_id);
  }
  return {};
}

// All branches of the conditions were captured.
Status check_branches(const Model& model) {
  for (const Ref<Model>& branch : model.branches) {
    if (branch->state() == Model::State::kReady) continue;
    return fail(ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING, kEE1016,
                "branch %u of a condition was not captured; the capture is discarded",
                branch->id());
  }
  return {};
}

Status check_no_open_group(const Model& model) {
  if (!model.open_group) return {};
  return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, kEE1016,
              "a task group is open: call aclmdlRICaptureTaskGrpEnd on stream %d first; the "
              "capture is discarded",
              model.open_group->group->stream_id);
}

// At the start of a run.
void assign_conditions(Model& model) {
  for (const std::shared_ptr<Condition>& condition : model.conditions) {
    const Status written = condition->assign();
    if (!written.ok()) model.runs().fail_start(written.code());
  }
}

Status build_root(Model& model) {
  FERRY_RETURN_IF_ERROR(model.group().build());
  std::vector<LaneGroup*> groups{&model.group()};
  for (const Ref<Model>& branch : model.branches)
    groups.push_back(&branch->group());
  model.runs().set_groups(std::move(groups));
  if (!model.conditions.empty()) {
    model.runs().prepare = [&model] { assign_conditions(model); };
  }
  return {};
}

Status fail_captured(const Stream& stream) {
  return reject(ACL_ERROR_RT_STREAM_CAPTURED, kEE1016, "stream", Value::beside(stream.handle()))
      .because(" (id %d) is in a capture already", stream.id());
}

void begin(Stream& stream, Model& model, aclmdlRICaptureMode mode) {
  model.capture = {.mode = mode, .thread = number_of_thread(), .origin = stream.handle()};
  model.join(stream);
  active_captures.fetch_add(1, std::memory_order_release);
}

}  // namespace

uint64_t number_of_thread() {
  static std::atomic<uint64_t> last{0};
  thread_local const uint64_t number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

Status check_flags_for_capture(const Stream& stream) {
  constexpr uint32_t kNever = ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
  if ((stream.flags() & kNever) == 0) return {};
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1011, "stream", Value::beside(stream.handle()))
      .because(" was made with flag 0x%x: such streams cannot be captured", stream.flags());
}

Status check_capturable(const Stream& stream) {
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_not_bound(stream));
  const Ref<Stream> default_stream = stream.context().default_stream();
  if (!default_stream || default_stream->handle() != stream.handle()) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is the default stream of its context, which cannot be captured");
}

Status begin_capture(Stream& stream, aclmdlRICaptureMode mode) {
  const std::lock_guard lock(recordings_mutex());
  if (stream.recorder() != nullptr) return fail_captured(stream);
  const Ref<Context> context = HandleTable<Context>::instance().find(stream.context().handle());
  if (!context) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018, "the context of the stream is being destroyed");
  }
  const Ref<Model> model = Model::create(context, Model::Kind::kCaptured, Model::State::kActive);
  begin(stream, *model, mode);
  return {};
}

Status begin_capture_of_branch(Stream& stream, Model& branch, aclmdlRICaptureMode mode) {
  const std::lock_guard lock(recordings_mutex());
  if (branch.state() != Model::State::kNone) {
    return reject(ACL_ERROR_RT_MODEL_CAPTURED, kEE1016, "modelRI", Value::beside(branch.handle()))
        .because(" is captured, or was already");
  }
  if (stream.recorder() != nullptr) return fail_captured(stream);
  branch.set_state(Model::State::kActive);
  begin(stream, branch, mode);
  return {};
}

CaptureInfo capture_info(const Stream& stream) {
  if (stream.recorder() == nullptr) return {};
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr || recorder->model.kind() == Model::Kind::kBuilt) return {};
  const bool is_valid = recorder->model.state() == Model::State::kActive;
  return {.status = is_valid ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
                             : ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED,
          .model = recorder->model.handle()};
}

bool is_origin_of_model(const Stream& stream) {
  if (stream.recorder() == nullptr) return false;
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  return recorder != nullptr && recorder->model.kind() == Model::Kind::kCaptured &&
         recorder->model.capture.origin == stream.handle();
}

Result<Ref<Model>> end_capture(Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr) {
    return reject(ACL_ERROR_RT_STREAM_NOT_CAPTURED, kEE1018, "stream",
                  Value::beside(stream.handle()))
        .because(" (id %d) is not in a capture: call aclmdlRICaptureBegin first", stream.id());
  }
  const Ref<Model> model = HandleTable<Model>::instance().find(recorder->model.handle());
  if (model->capture.origin != stream.handle()) {
    return reject(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, kEE1016, "stream",
                  Value::beside(stream.handle()))
        .because(" (id %d) has joined the capture by an event: end it on stream %d, where it began",
                 stream.id(), model->group().lanes()[0]->stream_id);
  }
  EndedCapture ended(*model);
  FERRY_RETURN_IF_ERROR(check_thread(*model));
  FERRY_RETURN_IF_ERROR(check_valid(*model));
  if (model->kind() != Model::Kind::kBranch) FERRY_RETURN_IF_ERROR(check_branches(*model));
  FERRY_RETURN_IF_ERROR(check_no_open_group(*model));
  FERRY_RETURN_IF_ERROR(check_joined(*model));
  FERRY_RETURN_IF_ERROR(model->kind() == Model::Kind::kBranch ? model->group().build()
                                                              : build_root(*model));
  model->set_state(Model::State::kReady);
  ended.is_good = true;
  return model;
}

void discard_captures(const Context& context) {
  if (!is_anything_captured()) return;
  const std::lock_guard lock(recordings_mutex());
  for (Ref<Model> model = context.model_after(-1); model; model = context.model_after(model->id()))
    if (model->is_recorded() && model->kind() != Model::Kind::kBuilt) EndedCapture{*model};
}

}  // namespace ferry
