// SPDX-License-Identifier: Apache-2.0
// Recording work in the lane of its stream.
#include "core/model/recording.h"

#include "base/never_destroyed.h"
#include "base/work.h"
#include "core/event.h"
#include "core/model/lane.h"
#include "core/model/model.h"
#include "core/model/task_group.h"
#include "core/stream.h"

#include <new>
#include <utility>

namespace ferry {
namespace {

// Work whose argument or object is gone after one execution, unless its facts keep it.
bool executes_once(uint32_t kind) {
  switch (kind) {
    case FERRYX_CALLOUT:
    case FERRYX_FUNCTION:
    case FERRYX_KERNEL:
    case FERRYX_MARK:
    case FERRYX_AWAIT:
    case FERRYX_SET_FLAG:
    case FERRYX_TAKE_FLAG:
      return true;
    default:
      return false;
  }
}

aclmdlRITaskType type_of(const ferryx_work& work, const TaskFacts& facts) {
  switch (work.kind) {
    case FERRYX_WRITE_VALUE:
      return ACL_MODEL_RI_TASK_VALUE_WRITE;
    case FERRYX_AWAIT_VALUE:
      return ACL_MODEL_RI_TASK_VALUE_WAIT;
    default:
      return facts.type;
  }
}

Status fail_once_only(const Stream& stream, const ferryx_work& work) {
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "stream", Value::beside(stream.handle()))
      .because(" is recorded in a model, and what %s queues can execute only once",
               work.origin.call);
}

// A built model takes tasks in lanes that were emptied, while it does not run.
Status check_takes_tasks(const Stream& stream, const Recorder& recorder) {
  Model& model = recorder.model;
  if (model.kind() != Model::Kind::kBuilt || model.is_recorded()) return {};
  if (model.group().lanes()[recorder.lane]->is_reopened) {
    if (model.runs().is_idle()) return {};
    return reject(ACL_ERROR_RT_MODEL_RUNNING, kEE1016, "stream", Value::beside(stream.handle()))
        .because(" is bound to model %u, which runs: it takes no tasks meanwhile", model.id());
  }
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is bound to model %u, which is built already: it takes no more tasks", model.id());
}

thread_local LastRecordedTask last_recorded;

// The task is the last one of its lane, unless it was dropped.
void remember_task(const Stream& stream, const Recorder& recorder, bool is_dropped) {
  const size_t count = recorder.model.group().lanes()[recorder.lane]->tasks.size();
  last_recorded = {.stream = stream.handle(),
                   .model = recorder.model.handle(),
                   .place = {.lane = recorder.lane, .task = is_dropped ? 0 : count - 1},
                   .is_dropped = is_dropped};
  stream.note_recorded_task();
}

}  // namespace

const LastRecordedTask& last_recorded_task() {
  return last_recorded;
}

std::atomic<uint32_t> active_captures{0};

std::mutex& recordings_mutex() {
  static NeverDestroyed<std::mutex> mutex;
  return *mutex;
}

Status record_work(Stream& stream, const ferryx_work& work, TaskFacts facts) {
  if (facts.keeps == nullptr && executes_once(work.kind)) return fail_once_only(stream, work);
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr) {
    return reject(ACL_ERROR_RT_STREAM_NOT_CAPTURED, kEE1018, "stream",
                  Value::beside(stream.handle()))
        .because(" has left its capture during this call");
  }
  Model& model = recorder->model;
  try {
    RecordedTask task;
    task.type = type_of(work, facts);
    task.work = WorkClone(work);
    task.keeps = std::move(facts.keeps);
    task.launch = std::move(facts.launch);
    task.activated = facts.activated;
    RecordedTask* recorded = nullptr;
    FERRY_RETURN_IF_ERROR(append_task(stream, *recorder, std::move(task), &recorded));
    if (recorded == nullptr) return {};
  } catch (const std::bad_alloc&) {
    model.set_state(Model::State::kInvalidated);  // a task is missing
    throw;
  }
  const ferryx_backend& backend = stream.backend();
  if (backend.work_recorded != nullptr) {
    backend.work_recorded(stream.context().device().handle(), &work);
  }
  return {};
}

Status append_task(Stream& stream, const Recorder& recorder, RecordedTask task,
                   RecordedTask** added) {
  Model& model = recorder.model;
  FERRY_RETURN_IF_ERROR(check_takes_tasks(stream, recorder));
  try {
    if (model.open_group && model.state() == Model::State::kActive) {
      FERRY_RETURN_IF_ERROR(add_to_open_group(stream, recorder, task));
    }
    RecordedTask* const in_lane = model.add_task(recorder.lane, std::move(task));
    if (added != nullptr) *added = in_lane;
    remember_task(stream, recorder, in_lane == nullptr);
    return {};
  } catch (const std::bad_alloc&) {
    model.set_state(Model::State::kInvalidated);  // a task is missing
    throw;
  }
}

bool is_captured(const Stream& stream) {
  if (stream.recorder() == nullptr) return false;
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  return recorder != nullptr && recorder->model.kind() != Model::Kind::kBuilt;
}

Status check_not_captured(const Stream& stream) {
  if (!is_captured(stream)) return {};
  return reject(ACL_ERROR_RT_STREAM_CAPTURED, kEE1016, "stream", Value::beside(stream.handle()))
      .because(" (id %d) is in a capture: end it with aclmdlRICaptureEnd first", stream.id());
}

bool is_bound(const Stream& stream) {
  if (stream.recorder() == nullptr) return false;
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  return recorder != nullptr && recorder->model.kind() == Model::Kind::kBuilt;
}

Status check_not_bound(const Stream& stream) {
  if (stream.recorder() == nullptr) return {};
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr || recorder->model.kind() != Model::Kind::kBuilt) return {};
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "stream", Value::beside(stream.handle()))
      .because(" is bound to model %u", recorder->model.id());
}

}  // namespace ferry
