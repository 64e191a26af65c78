// SPDX-License-Identifier: Apache-2.0
// Handles of parts are made when they are asked for. All of it happens under the parts lock of the
// model, except finding.
#include "core/model/model_parts.h"

#include "core/kernel/kernel_launch.h"
#include "core/model/lane.h"

#include <mutex>
#include <utility>

namespace ferry {
namespace {

Status fail_part(const char* argument, const void* handle, const char* what) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, handle)
      .because(", which is not a %s of a live model", what);
}

// Invariant: a change is forgotten once it is applied, so that an update can be repeated.
void apply_change(RecordedTask& task) {
  if (task.change.launch != nullptr) {
    task.launch->replace(std::move(task.change.launch));
    ferryx_work work = task.launch->work();
    work.origin = task.work->origin;
    task.work = WorkClone(work);
    if (task.group != nullptr) task.work.payload().kernel.access_count = 0;
  }
  if (task.change.value) task.work.payload().value = *task.change.value;
  if (task.change.is_disabled) task.form = RecordedTask::Form::kNothing;
  task.change = {};
}

}  // namespace

std::vector<void*> streams_of(Model& model) {
  const std::lock_guard lock(model.parts_mutex);
  while (model.streams.size() < model.group().lanes().size()) {
    const Ref<ModelStream> made = HandleTable<ModelStream>::instance().insert(
        std::make_unique<ModelStream>(model.handle(), model.streams.size()));
    model.streams.push_back(made->handle());
  }
  model.tasks.resize(model.streams.size());
  return model.streams;
}

std::vector<void*> tasks_of(Model& model, size_t lane) {
  static_cast<void>(streams_of(model));
  const std::scoped_lock lock(recordings_mutex(), model.parts_mutex);
  std::vector<void*>& tasks = model.tasks[lane];
  while (tasks.size() < model.group().lanes()[lane]->tasks.size()) {
    const TaskPlace place{.lane = lane, .task = tasks.size()};
    const Ref<ModelTask> made = HandleTable<ModelTask>::instance().insert(
        std::make_unique<ModelTask>(model.handle(), place));
    tasks.push_back(made->handle());
  }
  std::vector<void*> present;
  for (size_t i = 0; i < tasks.size(); ++i)
    if (!model.group().lanes()[lane]->tasks[i].is_removed) present.push_back(tasks[i]);
  return present;
}

void Model::forget_parts() {
  const std::lock_guard lock(parts_mutex);
  for (void* stream : streams)
    HandleTable<ModelStream>::instance().remove(stream);
  for (const std::vector<void*>& of_lane : tasks)
    for (void* task : of_lane)
      HandleTable<ModelTask>::instance().remove(task);
  streams.clear();
  tasks.clear();
}

Result<FoundTask> find_task(aclmdlRITask handle) {
  if (handle == nullptr) return fail_null("task", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  const Ref<ModelTask> task = HandleTable<ModelTask>::instance().find(handle);
  if (!task) return fail_part("task", handle, "task");
  FoundTask found{.model = HandleTable<Model>::instance().find(task->model)};
  if (!found.model) return fail_part("task", handle, "task");
  const std::lock_guard lock(recordings_mutex());
  found.task = &found.model->group().lanes()[task->place.lane]->tasks[task->place.task];
  if (found.task->is_removed) return fail_part("task", handle, "task");
  return found;
}

Result<FoundLane> find_model_stream(aclrtStream handle) {
  if (handle == nullptr) return fail_null("stream", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  const Ref<ModelStream> stream = HandleTable<ModelStream>::instance().find(handle);
  if (!stream) return fail_part("stream", handle, "stream");
  FoundLane found{.model = HandleTable<Model>::instance().find(stream->model),
                  .lane = stream->lane};
  if (!found.model) return fail_part("stream", handle, "stream");
  return found;
}

Status update_model(Model& model) {
  const std::lock_guard lock(model.parts_mutex);
  if (model.state() == Model::State::kReady) return {};
  if (model.state() != Model::State::kUpdating || !model.runs().is_idle()) {
    return reject(ACL_ERROR_RT_MODEL_UPDATE_FAILED, kEE1016, "modelRI",
                  Value::beside(model.handle()))
        .because(" is in a state in which it cannot be updated");
  }
  for (const auto& lane : model.group().lanes()) {
    for (RecordedTask& task : lane->tasks)
      apply_change(task);
  }
  model.group().remake_works();
  model.set_state(Model::State::kReady);
  return {};
}

}  // namespace ferry
