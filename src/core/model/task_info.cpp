// SPDX-License-Identifier: Apache-2.0
// A task can be found as long as its stream is recorded in the same model.
#include "core/model/task_info.h"

#include "core/model/lane.h"
#include "core/model/model.h"
#include "core/model/recording.h"
#include "core/stream.h"

#include <mutex>
#include <utility>

namespace ferry {
namespace {

Result<Ref<Stream>> stream_of_last_task() {
  Ref<Stream> stream = HandleTable<Stream>::instance().find(call_record().last_stream);
  if (!stream) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1018,
                "the calling thread has queued no task, or the stream of its last one is gone");
  }
  FERRY_RETURN_IF_ERROR(require_current_context(*stream));
  return stream;
}

Status fail_not_recorded(const Stream& stream, const char* where) {
  return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1018,
              "the last task of the calling thread, on stream %d, is not in %s", stream.id(),
              where);
}

// Whether the last task of the thread, which is on this stream, is in the model of the recorder.
bool is_last_task_in(const Recorder& recorder, const Stream& stream) {
  const LastRecordedTask& last = last_recorded_task();
  return last.stream == stream.handle() && last.model == recorder.model.handle();
}

template <class Change>
void change_last_task(const Recorder& recorder, Change change) {
  const LastRecordedTask& last = last_recorded_task();
  if (last.is_dropped) return;
  const std::lock_guard lock(recorder.model.parts_mutex);
  change(recorder.model.group().lanes()[last.place.lane]->tasks[last.place.task]);
}

}  // namespace

Status attach_operator_info(std::vector<char> bytes) {
  FERRY_TRY(Ref<Stream>, stream, stream_of_last_task());
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = (*stream)->recorder();
  if (recorder == nullptr || recorder->model.kind() == Model::Kind::kBuilt ||
      !is_last_task_in(*recorder, **stream)) {
    return fail_not_recorded(**stream, "a capture");
  }
  if ((*stream)->cache_op_info == 0) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1018,
                "the attribute ACL_STREAM_ATTR_CACHE_OP_INFO of stream %d is off: set it to 1 with "
                "aclrtSetStreamAttribute first",
                (*stream)->id());
  }
  change_last_task(*recorder, [&](RecordedTask& task) { task.info = std::move(bytes); });
  return {};
}

Status attach_text(std::string text) {
  FERRY_TRY(Ref<Stream>, stream, stream_of_last_task());
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = (*stream)->recorder();
  if (recorder == nullptr || !is_last_task_in(*recorder, **stream)) {
    return fail_not_recorded(**stream, "a model");
  }
  change_last_task(*recorder, [&](RecordedTask& task) { task.extend_info = std::move(text); });
  return {};
}

}  // namespace ferry
