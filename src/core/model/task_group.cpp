// SPDX-License-Identifier: Apache-2.0
// A launch that replaces another one is made during its call; what is queued at the end of an
// update only exchanges pointers. So a task reads its parameters when it starts.
#include "core/model/task_group.h"

#include "core/callout.h"
#include "core/kernel/kernel_launch.h"
#include "core/model/model.h"

#include <mutex>
#include <utility>

namespace ferry {
namespace {

// The argument of the callout that ends an update.
struct GroupChange {
  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<GroupChange> own(static_cast<GroupChange*>(argument));
    if (callout == nullptr) return;
    for (size_t i = 0; i < own->kernels.size(); ++i)
      own->kernels[i]->replace(own->launches[i]);
    callout->done(callout);
  }

  std::vector<std::shared_ptr<RecordedLaunch>> kernels;
  std::vector<std::shared_ptr<const KernelLaunch>> launches;
};

// The recorder of a stream in a capture; nullptr when it is in none. Under the lock.
const Recorder* capture_of(const Stream& stream) {
  const Recorder* const recorder = stream.recorder();
  const bool is_capture = recorder != nullptr && recorder->model.kind() != Model::Kind::kBuilt;
  return is_capture ? recorder : nullptr;
}

Status fail_not_captured(const Stream& stream) {
  return reject(ACL_ERROR_RT_STREAM_NOT_CAPTURED, kEE1016, "stream", Value::beside(stream.handle()))
      .because(" (id %d) is not in a capture, and task groups are parts of captures", stream.id());
}

Status fail_status(const Stream& stream, const char* why) {
  return reject(ACL_ERROR_STREAM_TASK_GROUP_STATUS, kEE1016, "stream",
                Value::beside(stream.handle()))
      .because(" (id %d) %s", stream.id(), why);
}

Status fail_other_stream(const Stream& stream, const TaskGroup& group) {
  return reject(ACL_ERROR_STREAM_TASK_GROUP_INTR, kEE1016, "stream", Value::beside(stream.handle()))
      .because(
          " (id %d) is in the capture whose task group is open on stream %d: no other stream may "
          "have tasks meanwhile; the capture is invalid now",
          stream.id(), group.stream_id);
}

Status fail_other_kind(const Stream& stream, const RecordedTask& task) {
  return reject(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, kEE1006, "stream",
                Value::beside(stream.handle()))
      .because(
          " (id %d) has an open task group, which takes kernels only, and %s queues something "
          "else; the capture is invalid now",
          stream.id(), task.work->origin.call);
}

// The error of a group again.
Status fail_group(const TaskGroup& group, aclError error) {
  return fail(error, error == ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT ? kEE1006 : kEE1016,
              "the task group on stream %d has failed: %s", group.stream_id,
              error == ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT
                  ? "a task was no kernel"
                  : "another stream of the capture had a task");
}

// The update, which the stream leaves. Under the lock.
std::unique_ptr<TaskUpdate> leave_update(Stream& stream) {
  std::unique_ptr<TaskUpdate> update = stream.exchange_update(nullptr);
  if (update != nullptr) update->group->is_updating = false;
  return update;
}

}  // namespace

Status check_captured(const Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  return capture_of(stream) != nullptr ? Status() : fail_not_captured(stream);
}

Status begin_task_group(Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = capture_of(stream);
  if (recorder == nullptr) return fail_not_captured(stream);
  Model& model = recorder->model;
  if (model.open_group) return fail_status(stream, "is in a capture with an open task group");
  if (stream.update() != nullptr) return fail_status(stream, "is changing a task group");
  model.groups.push_back(HandleTable<TaskGroup>::instance().insert(
      std::make_unique<TaskGroup>(model.context(), model.id(), stream.id())));
  model.open_group = {.group = model.groups.back(), .lane = recorder->lane, .error = ACL_SUCCESS};
  return {};
}

Result<void*> end_task_group(Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = capture_of(stream);
  if (recorder == nullptr) return fail_not_captured(stream);
  Model& model = recorder->model;
  if (!model.open_group || model.open_group->lane != recorder->lane) {
    return fail_status(stream, "has no open task group");
  }
  const Model::OpenGroup ended = *std::exchange(model.open_group, std::nullopt);
  if (ended.error != ACL_SUCCESS) return fail_group(*ended.group, ended.error);
  if (model.state() != Model::State::kActive) {
    return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, kEE1016,
                "the capture of stream %d is invalid after an earlier error", stream.id());
  }
  return ended.group->handle();
}

Status add_to_open_group(const Stream& stream, const Recorder& recorder, RecordedTask& task) {
  Model& model = recorder.model;
  Model::OpenGroup& open = *model.open_group;
  Status refused;
  if (recorder.lane != open.lane) {
    refused = fail_other_stream(stream, *open.group);
  } else if (task.launch == nullptr) {
    refused = fail_other_kind(stream, task);
  }
  if (!refused.ok()) {
    open.error = refused.code();
    model.set_state(Model::State::kInvalidated);
    return refused;
  }
  open.group->kernels.push_back(task.launch);
  task.group = open.group->handle();
  // What it uses is not known before it starts.
  task.work.payload().kernel.access_count = 0;
  return {};
}

// ---- updates ----

Result<Ref<TaskGroup>> find_task_group(aclrtTaskGrp handle) {
  Ref<TaskGroup> group = HandleTable<TaskGroup>::instance().find(handle);
  if (!group) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "handle", handle, "task group");
  return group;
}

Status begin_update(Stream& stream, const Ref<TaskGroup>& group) {
  if (&group->context != &stream.context()) {
    return reject(ACL_ERROR_RT_MODEL_CONTEXT, kEE1010, "handle", Value::beside(group->handle()))
        .because(" belongs to model %u of another context than stream %d", group->model_id,
                 stream.id());
  }
  auto update = std::make_unique<TaskUpdate>(TaskUpdate{group, {}});
  const std::lock_guard lock(recordings_mutex());
  if (stream.update() != nullptr) return fail_status(stream, "is changing a task group already");
  if (group->is_updating) return fail_status(stream, "cannot change a group that another changes");
  group->is_updating = true;
  static_cast<void>(stream.exchange_update(std::move(update)));
  return {};
}

Status end_update(Stream& stream) {
  std::unique_ptr<TaskUpdate> update;
  auto change = std::make_unique<GroupChange>();
  {
    const std::lock_guard lock(recordings_mutex());
    update = leave_update(stream);
    if (update == nullptr) return fail_status(stream, "is not changing a task group");
    change->kernels = update->group->kernels;
  }
  if (update->launches.size() < change->kernels.size()) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1017,
                "the task group has %zu tasks, but %zu were launched since "
                "aclmdlRICaptureTaskUpdateBegin; nothing is changed",
                change->kernels.size(), update->launches.size());
  }
  if (change->kernels.empty()) return {};
  change->launches = std::move(update->launches);
  return submit_callout(stream, GroupChange::start, std::move(change));
}

Status replace_next_task(Stream& stream, const std::shared_ptr<const KernelLaunch>& launch) {
  const std::lock_guard lock(recordings_mutex());
  TaskUpdate* const update = stream.update();
  if (update == nullptr) return fail_status(stream, "has left its update during this call");
  if (update->launches.size() == update->group->kernels.size()) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1017,
                "the task group has %zu tasks, and all of them were launched since "
                "aclmdlRICaptureTaskUpdateBegin",
                update->group->kernels.size());
  }
  update->launches.push_back(launch);
  return {};
}

Status fail_in_update(const Stream& stream) {
  return reject(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, kEE1006, "stream",
                Value::beside(stream.handle()))
      .because(
          " (id %d) is changing a task group and takes kernels only until "
          "aclmdlRICaptureTaskUpdateEnd",
          stream.id());
}

void abandon_update(Stream& stream) {
  if (stream.update() == nullptr) return;
  std::unique_ptr<TaskUpdate> update;
  const std::lock_guard lock(recordings_mutex());
  update = leave_update(stream);
}

}  // namespace ferry
