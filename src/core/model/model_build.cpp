// SPDX-License-Identifier: Apache-2.0
// Building models from bound streams. What decides the flow of a run is a callout of its lane.
#include "core/model/model_build.h"

#include "core/copy.h"
#include "core/event.h"
#include "core/model/recording.h"

#include <mutex>
#include <utility>

namespace ferry {
namespace {

struct FlowTask {
  static void start(void* argument, ferryx_callout* callout) {
    if (callout == nullptr) return;
    auto& own = *static_cast<FlowTask*>(argument);
    own.callout = callout;
    own.lane.run_when_submitted(run, argument);
  }

  static void run(void* argument) {
    const auto& own = *static_cast<FlowTask*>(argument);
    ferryx_callout* const callout = own.callout;
    own.act();  // may end the run
    callout->done(callout);
  }

  Lane& lane;
  std::function<void()> act;
  ferryx_callout* callout = nullptr;
};

bool holds(aclrtCondition condition, int64_t left, int64_t right) {
  switch (condition) {
    case ACL_RT_EQUAL:
      return left == right;
    case ACL_RT_NOT_EQUAL:
      return left != right;
    case ACL_RT_GREATER:
      return left > right;
    case ACL_RT_GREATER_OR_EQUAL:
      return left >= right;
    case ACL_RT_LESS:
      return left < right;
    default:
      return left <= right;
  }
}

Status read_number(const Device& device, const void* address, aclrtCompareDataType type,
                   int64_t& number) {
  if (type == ACL_RT_SWITCH_INT64) return copy_now(device, &number, address, sizeof number);
  int32_t small = 0;
  FERRY_RETURN_IF_ERROR(copy_now(device, &small, address, sizeof small));
  number = small;
  return {};
}

// 107005 unless both streams are bound to one model.
Status check_same_model(const BoundLane& one, const BoundLane& other, const Stream& stream) {
  if (one.model == other.model) return {};
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is bound to another model");
}

}  // namespace

Status fail_built_model(const Model& model) {
  return fail(ACL_ERROR_RT_STREAM_MODEL, kEE1017,
              "model %u is built already: its streams take no more tasks", model.id());
}

Status bind_stream(Model& model, Stream& stream, bool starts_with_run) {
  const std::lock_guard lock(recordings_mutex());
  if (stream.recorder() != nullptr) {
    return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
        .because(" is bound to model %u already", stream.recorder()->model.id());
  }
  if (!model.is_recorded()) return fail_built_model(model);
  model.join(stream).starts_with_run = starts_with_run;
  return {};
}

Status unbind_stream(Model& model, Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  if (model.leave(stream)) return {};
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is not bound to model %u", model.id());
}

Result<BoundLane> bound_lane(const Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder != nullptr && recorder->model.kind() == Model::Kind::kBuilt) {
    return BoundLane{.model = &recorder->model, .lane = recorder->lane};
  }
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is not bound to a model: call aclmdlRIBindStream first");
}

Status record_flow(Stream& stream, std::function<void()> act, int32_t activated) {
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  auto task = std::make_shared<FlowTask>(
      FlowTask{*bound->model->group().lanes()[bound->lane], std::move(act)});
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = FlowTask::start, .argument = task.get()});
  return stream.record(work, {.activated = activated, .keeps = std::move(task)});
}

Status record_end(Model& model, Stream& stream) {
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  if (bound->model != &model) {
    return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
        .because(" is not bound to model %u", model.id());
  }
  Lane& lane = *model.group().lanes()[bound->lane];
  FERRY_RETURN_IF_ERROR(record_flow(stream, [&model, &lane] {
    model.runs().end_early(lane);
    lane.skip_rest();
  }));
  const std::lock_guard lock(recordings_mutex());
  model.has_end = true;
  return {};
}

Status finish_model(Model& model) {
  const std::lock_guard lock(recordings_mutex());
  if (!model.has_streams()) {
    return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1018, "modelRI", Value::beside(model.handle()))
        .because(" has no streams: call aclmdlRIBindStream first");
  }
  if (!model.has_end) {
    return reject(ACL_ERROR_RT_MODEL_EXECUTE, kEE1018, "modelRI", Value::beside(model.handle()))
        .because(" has no end: call aclmdlRIEndTask first");
  }
  if (!model.is_recorded()) return fail_built_model(model);
  FERRY_RETURN_IF_ERROR(model.group().build());
  model.runs().set_groups({&model.group()});
  model.set_state(Model::State::kReady);
  return {};
}

Status check_has_stored_tasks(const Stream& stream) {
  const auto refuse = [&](const char* why) -> Status {
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1017, "stream", Value::beside(stream.handle()))
        .because(" %s", why);
  };
  if ((stream.flags() & ACL_STREAM_PERSISTENT) == 0) {
    return refuse("was made without ACL_STREAM_PERSISTENT, so it stores no tasks");
  }
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr || recorder->model.kind() != Model::Kind::kBuilt) {
    return refuse("is not bound to a model, so it stores no tasks");
  }
  return recorder->model.is_recorded() ? refuse("is bound to a model that is not built") : Status();
}

Status remove_stored_tasks(Stream& stream) {
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  const std::lock_guard lock(recordings_mutex());
  if (!bound->model->runs().is_idle()) {
    return reject(ACL_ERROR_RT_MODEL_RUNNING, kEE1016, "stream", Value::beside(stream.handle()))
        .because(" is bound to model %u, which runs: its tasks stay", bound->model->id());
  }
  bound->model->reopen(bound->lane);
  return {};
}

Status record_activation(Stream& active, Stream& stream) {
  FERRY_TRY(BoundLane, started, bound_lane(active));
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  FERRY_RETURN_IF_ERROR(check_same_model(*bound, *started, active));
  LaneGroup& group = bound->model->group();
  Lane& lane = *group.lanes()[started->lane];
  return record_flow(
      stream, [&group, &lane] { group.start_lane(lane, 0); }, lane.id());
}

Status record_switch(const Comparison& comparison, Stream& other, Stream& stream) {
  FERRY_TRY(BoundLane, started, bound_lane(other));
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  FERRY_RETURN_IF_ERROR(check_same_model(*bound, *started, other));
  Model& model = *bound->model;
  Lane& own = *model.group().lanes()[bound->lane];
  Lane& target = *model.group().lanes()[started->lane];
  const auto act = [&model, &own, &target, comparison] {
    int64_t left = 0;
    int64_t right = 0;
    const Device& device = model.context().device();
    Status read = read_number(device, comparison.left, comparison.type, left);
    if (read.ok()) read = read_number(device, comparison.right, comparison.type, right);
    if (!read.ok()) {
      return model.runs().fail_run(model.runs().current(), read.code(),
                                   FixedText("what a switch compares cannot be read"));
    }
    if (!holds(comparison.condition, left, right)) return;
    model.group().jump(own, target, 0);
  };
  return record_flow(stream, act, target.id());
}

}  // namespace ferry
