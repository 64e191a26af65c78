// SPDX-License-Identifier: Apache-2.0
// Which calls captures forbid. The strictest mode counts: of the captures in the calling thread's
// context, and of those among them that the thread has begun.
#include "core/model/capture.h"
#include "core/model/recording.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

thread_local aclmdlRICaptureMode mode_of_thread = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

constexpr int kNoCapture = ACL_MODEL_RI_CAPTURE_MODE_RELAXED + 1;  // laxer than all modes

struct ActiveModes {
  int in_context = kNoCapture;
  int of_thread = kNoCapture;
  int32_t stream = -1;  // where the capture that decides was begun
};

ActiveModes active_modes(const Context& context) {
  ActiveModes modes;
  const std::lock_guard lock(recordings_mutex());
  for (Ref<Model> model = context.model_after(-1); model;
       model = context.model_after(model->id())) {
    if (!model->is_recorded() || model->kind() == Model::Kind::kBuilt) continue;
    const int mode = model->capture.mode;
    if (mode < modes.in_context) modes.stream = model->group().lanes()[0]->stream_id;
    modes.in_context = std::min(modes.in_context, mode);
    if (model->capture.thread == number_of_thread()) {
      modes.of_thread = std::min(modes.of_thread, mode);
    }
  }
  return modes;
}

const char* name_of_mode(int mode) {
  switch (mode) {
    case ACL_MODEL_RI_CAPTURE_MODE_GLOBAL:
      return "ACL_MODEL_RI_CAPTURE_MODE_GLOBAL";
    case ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL:
      return "ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL";
    default:
      return "ACL_MODEL_RI_CAPTURE_MODE_RELAXED";
  }
}

bool is_forbidden(const ActiveModes& modes) {
  switch (mode_of_thread) {
    case ACL_MODEL_RI_CAPTURE_MODE_GLOBAL:
      return modes.in_context == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL ||
             modes.of_thread == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
    case ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL:
      return modes.of_thread <= ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
    default:
      return false;
  }
}

}  // namespace

aclmdlRICaptureMode exchange_thread_mode(aclmdlRICaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

Status check_unsafe_call(aclError code) {
  if (!is_anything_captured()) return {};
  const Ref<Context> context = find_current_context();
  if (!context) return {};
  const ActiveModes modes = active_modes(*context);
  if (!is_forbidden(modes)) return {};
  return fail(
      code, kEE1016,
      "a capture in mode %s is active, begun on stream %d, and forbids calls that may wait; "
      "the calling thread's own mode is %s",
      name_of_mode(modes.in_context), modes.stream, name_of_mode(mode_of_thread));
}

Status check_no_capture_in_context() {
  const Ref<Context> context = find_current_context();
  if (!context) return {};
  const std::lock_guard lock(recordings_mutex());
  for (Ref<Stream> stream = context->stream_after(-1); stream;
       stream = context->stream_after(stream->id())) {
    const Recorder* const recorder = stream->recorder();
    if (recorder == nullptr || recorder->model.kind() == Model::Kind::kBuilt) continue;
    return fail(ACL_ERROR_RT_STREAM_CAPTURED, kEE1016,
                "stream %d of the calling thread's context is in a capture: end it with "
                "aclmdlRICaptureEnd first",
                stream->id());
  }
  return {};
}

}  // namespace ferry
