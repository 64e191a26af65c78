// SPDX-License-Identifier: Apache-2.0
// Executing, aborting and destroying models.
#include "core/model/model.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"

#include <chrono>

namespace ferry::api {
namespace {

constexpr std::chrono::seconds kLongestWaitForRun{10};

Status fail_branch(const Model& model) {
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "modelRI", Value::beside(model.handle()))
      .because(" is a branch of a condition and is used through its model only");
}

Status check_launcher(const Stream& stream) {
  if (!check_not_bound(stream).ok()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "stream", Value::beside(stream.handle()))
        .because(" is bound to a model, so it cannot launch one");
  }
  FERRY_RETURN_IF_ERROR(check_not_captured(stream));
  constexpr uint32_t kNever =
      ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_PERSISTENT | ACL_STREAM_DEVICE_USE_ONLY;
  if ((stream.flags() & kNever) == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "stream", Value::beside(stream.handle()))
      .because(" was made with flag 0x%x: such streams launch no models", stream.flags());
}

Status fail_not_built(const Model& model) {
  return reject(ACL_ERROR_RT_MODEL_EXECUTE, kEE1018, "modelRI", Value::beside(model.handle()))
      .because(" is not built: call aclmdlRIEndTask and aclmdlRIBuildEnd first");
}

Status fail_captured_model(const Model& model) {
  return reject(ACL_ERROR_RT_MODEL_CAPTURED, kEE1016, "modelRI", Value::beside(model.handle()))
      .because(" is being captured: end the capture first");
}

bool is_in_capture(const Model& model) {
  return model.kind() == Model::Kind::kCaptured && model.is_recorded();
}

bool is_unfinished(const Model& model) {
  return model.kind() == Model::Kind::kBuilt && model.state() != Model::State::kReady;
}

Status check_usable(const Model& model) {
  if (is_in_capture(model)) return fail_captured_model(model);
  if (model.state() != Model::State::kUpdating && model.state() != Model::State::kFault) return {};
  return reject(ACL_ERROR_RT_MODEL_EXECUTE, kEE1016, "modelRI", Value::beside(model.handle()))
      .because(model.state() == Model::State::kFault
                   ? " is unusable after a change that failed"
                   : " has changes that are not effective yet: call aclmdlRIUpdate first");
}

}  // namespace

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  if (*given) FERRY_RETURN_IF_ERROR(check_launcher(**given));
  if ((*model)->kind() == Model::Kind::kBranch) return fail_branch(**model);
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  FERRY_RETURN_IF_ERROR(check_usable(**model));
  FERRY_TRY(Ref<Stream>, launcher, stream_of_current_context(stream));
  if (is_unfinished(**model)) return fail_not_built(**model);
  return (*model)->runs().launch(**launcher, *model);
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (timeout == 0 || timeout < -1) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "timeout", timeout)
        .allowed("-1 (for ever) or more than 0 (milliseconds)");
  }
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  if ((*model)->kind() != Model::Kind::kBuilt) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1016, "modelRI", Value::beside(modelRI))
        .because(" was made by a capture: use aclmdlRIExecuteAsync");
  }
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  if (is_unfinished(**model)) return fail_not_built(**model);
  FERRY_TRY(Ref<Stream>, launcher, stream_or_default(nullptr));
  FERRY_RETURN_IF_ERROR((*model)->runs().launch(**launcher, *model));
  return (*launcher)->synchronize(WaitLimit(timeout));
}

aclError aclmdlRIAbort(aclmdlRI modelRI) {
  if (modelRI == nullptr) return fail_null_in_runtime("modelRI");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  if ((*model)->kind() == Model::Kind::kBranch) return fail_branch(**model);
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  if ((*model)->kind() == Model::Kind::kCaptured) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "modelRI", Value::beside(modelRI))
        .because(" was made by a capture: its runs cannot be aborted");
  }
  static_cast<void>((*model)->runs().end_run(ACL_ERROR_RT_MODEL_ABORT_NORMAL, "was aborted"));
  return ACL_SUCCESS;
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  if ((*model)->kind() == Model::Kind::kBranch) return fail_branch(**model);
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  if (is_in_capture(**model)) return fail_captured_model(**model);
  if (!(*model)->runs().close(ModelRuns::Clock::now() + kLongestWaitForRun)) {
    return reject(ACL_ERROR_RT_MODEL_RUNNING, kEE1016, "modelRI", Value::beside(modelRI))
        .because(" still runs after 10 s; it is not destroyed");
  }
  (*model)->call_destroy_callbacks();
  if ((*model)->remove()) return ACL_SUCCESS;
  return find_model(modelRI).status();  // another thread has destroyed it meanwhile
}

}  // namespace ferry::api
