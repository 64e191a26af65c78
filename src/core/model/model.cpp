// SPDX-License-Identifier: Apache-2.0
// Models, and the streams that are recorded in them.
#include "core/model/model.h"

#include "core/event.h"
#include "core/model/condition.h"
#include "core/model/task_group.h"
#include "core/runtime.h"
#include "core/stream.h"

#include <algorithm>
#include <utility>

namespace ferry {
namespace {

std::atomic<uint32_t> next_model_id{0};

}  // namespace

Model::Model(const Ref<Context>& context, Kind kind, State state, Model* root)
    : context_(context),
      kind_(kind),
      id_(next_model_id.fetch_add(1, std::memory_order_relaxed)),
      state_(state),
      root_(root),
      runs_(id_),
      group_(context, root != nullptr ? root->runs_ : runs_) {}

Model::~Model() = default;

Ref<Model> Model::create(const Ref<Context>& context, Kind kind, State state, Model* root) {
  std::unique_ptr<Model> model(new Model(context, kind, state, root));
  const uint32_t id = model->id();
  return HandleTable<Model>::instance().insert(
      std::move(model), [&](void* handle) { context->add_model(id, handle); });
}

Lane& Model::join(Stream& stream) {
  Lane& lane = group_.add_lane(stream);
  Member& member = members_.emplace_back(
      Member{.recorder = {.model = *this, .lane = group_.lanes().size() - 1},
             .stream = HandleTable<Stream>::instance().find(stream.handle())});
  stream.set_recorder(&member.recorder);
  return lane;
}

bool Model::leave(const Stream& stream) {
  const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& each) {
    return each.stream.get() == &stream;
  });
  if (member == members_.end()) return false;
  member->stream->set_recorder(nullptr);
  members_.erase(member);
  return true;
}

RecordedTask* Model::add_task(size_t lane, RecordedTask task) {
  Lane& own = *group_.lanes()[lane];
  if (state() != State::kActive && !own.is_reopened) return nullptr;
  task.sequence = task_count_++;
  if (own.is_reopened) group_.is_stale = true;
  return &own.tasks.emplace_back(std::move(task));
}

// Tasks keep their place, which edges, labels and handles refer to.
void Model::reopen(size_t lane) {
  const std::lock_guard lock(parts_mutex);
  Lane& own = *group_.lanes()[lane];
  for (RecordedTask& task : own.tasks) {
    const uint32_t sequence = task.sequence;
    task = RecordedTask();
    task.form = RecordedTask::Form::kNothing;
    task.sequence = sequence;
    task.is_removed = true;
  }
  for (const Ref<Event>& event : events)
    if (event->point.model == this && event->point.place.lane == lane) event->point = {};
  own.is_reopened = true;
  group_.is_stale = true;
}

Status Model::refresh() {
  if (kind_ != Kind::kBuilt) return {};
  const std::lock_guard lock(recordings_mutex());
  if (!group_.is_stale) return {};
  if (!runs_.is_idle()) {
    return reject(ACL_ERROR_RT_MODEL_RUNNING, kEE1016, "modelRI", Value::beside(handle()))
        .because(" runs, and has other tasks since: wait for the run first");
  }
  FERRY_RETURN_IF_ERROR(group_.rebuild());
  runs_.set_groups({&group_});
  return {};
}

void Model::release_streams() {
  for (const Member& member : members_)
    if (member.stream) member.stream->set_recorder(nullptr);
  members_.clear();
  for (const Ref<Event>& event : events)
    if (event->point.model == this) event->point = {};
  events.clear();
}

bool Model::remove() {
  const Ref<Model> last = HandleTable<Model>::instance().remove(handle());
  if (!last) return false;
  context_->forget_model(id());
  forget_parts();
  if (kind_ == Kind::kBuilt) {
    const std::lock_guard lock(recordings_mutex());
    release_streams();
  }
  for (const Ref<Model>& branch : branches)
    branch->remove();
  for (const Ref<TaskGroup>& group : groups)
    HandleTable<TaskGroup>::instance().remove(group->handle());
  for (const std::shared_ptr<Condition>& condition : conditions)
    HandleTable<ConditionHandle>::instance().remove(condition->handle);
  return true;
}

void Model::call_destroy_callbacks() {
  std::vector<DestroyCallback> callbacks;
  {
    const std::lock_guard lock(parts_mutex);
    callbacks.swap(destroy_callbacks);
  }
  for (const DestroyCallback& callback : callbacks)
    callback.function(callback.data);
}

void Model::close_now() {
  root().runs_.close_now();
  remove();
}

Result<Ref<Model>> find_model(aclmdlRI handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Model> model = HandleTable<Model>::instance().find(handle);
  if (!model) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "model");
  return model;
}

Status require_current_context(const Model& model) {
  FERRY_TRY(Ref<Context>, context, current_context());
  if ((*context).get() == &model.context()) return {};
  return reject(ACL_ERROR_RT_MODEL_CONTEXT, kEE1010, "modelRI", model.handle())
      .because(
          " (id %u), made in context %p on device %d, but the calling thread uses context %p on "
          "device %d",
          model.id(), model.context().handle(), model.context().device().id(), (*context)->handle(),
          (*context)->device().id());
}

}  // namespace ferry
