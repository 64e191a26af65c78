// SPDX-License-Identifier: Apache-2.0
// Conditions of models: branches, choices and loops.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/capture.h"
#include "core/model/condition.h"
#include "core/model/recording.h"

#include <algorithm>
#include <mutex>

namespace ferry::api {
namespace {

Result<Ref<ConditionHandle>> find_condition(aclmdlRICondHandle handle, aclError code_of_null) {
  if (handle == nullptr) {
    return fail_null("handle", code_of_null,
                     code_of_null == ACL_ERROR_INVALID_PARAM ? kEH0008 : kEE1004);
  }
  Ref<ConditionHandle> found = HandleTable<ConditionHandle>::instance().find(handle);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "handle", handle, "condition");
  return found;
}

Status check_branch_count(aclmdlRICondTaskType type, uint32_t size) {
  switch (type) {
    case ACL_MODEL_RI_COND_TYPE_IF:
      if (size == 1 || size == 2) return {};
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size).allowed("1 or 2 for IF");
    case ACL_MODEL_RI_COND_TYPE_WHILE:
      if (size == 1) return {};
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size).allowed("1 for WHILE");
    default:
      if (size >= 1) return {};
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size)
          .allowed("1 or more for SWITCH");
  }
}

// The condition is free, and belongs to the model that the stream is recorded in.
Status check_use(const ConditionHandle& condition, const Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  if (recorder == nullptr || recorder->model.kind() == Model::Kind::kBuilt) {
    return reject(ACL_ERROR_RT_STREAM_NOT_CAPTURED, kEE1018, "stream",
                  Value::beside(stream.handle()))
        .because(" is not in a capture");
  }
  if (recorder->model.handle() == condition.model) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "handle", Value::beside(condition.handle()))
      .because(" belongs to another model than the one that stream %d is captured for",
               stream.id());
}

Status check_unused(const ConditionHandle& condition) {
  const std::lock_guard lock(recordings_mutex());
  if (!condition.condition->is_used) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "handle", Value::beside(condition.handle()))
      .because(" is used by a condition task already");
}

Status add_condition_task(const aclmdlRICondTaskParams& params, aclrtStream stream,
                          uint32_t flags) {
  if (params.type < ACL_MODEL_RI_COND_TYPE_IF || params.type > ACL_MODEL_RI_COND_TYPE_SWITCH) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "type", params.type).allowed("0 to 2");
  }
  if (flags != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", flags).allowed("0");
  }
  FERRY_TRY(Ref<ConditionHandle>, found, find_condition(params.handle, ACL_ERROR_RT_PARAM_INVALID));
  if (params.modelRIArray == nullptr) return fail_null_in_runtime("modelRIArray");
  FERRY_TRY(Ref<Stream>, on, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_unused(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**on));
  FERRY_RETURN_IF_ERROR(check_use(**found, **on));
  FERRY_RETURN_IF_ERROR(check_branch_count(params.type, params.size));
  return record_condition(**on, **found, params.type, {params.modelRIArray, params.size});
}

}  // namespace

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                  aclmdlRICondHandleFlag flag, aclmdlRICondHandle* handle) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (handle == nullptr) return fail_null("handle");
  const auto number = static_cast<uint32_t>(flag);
  if (number > ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", number).allowed("0 or 1");
  }
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  if ((*model)->kind() == Model::Kind::kBuilt) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "modelRI", Value::beside(modelRI))
        .because(" is built from bound streams and has no conditions");
  }
  if ((*model)->state() != Model::State::kActive) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "modelRI", Value::beside(modelRI))
        .because(" is not being captured");
  }
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  FERRY_TRY(Ref<ConditionHandle>, made,
            create_condition(**model, number == ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT,
                             defaultLaunchValue));
  *handle = (*made)->handle();
  return ACL_SUCCESS;
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr) {
  if (handle == nullptr) return fail_null("handle");
  if (ptr == nullptr) return fail_null("ptr");
  FERRY_TRY(Ref<ConditionHandle>, found, find_condition(handle, ACL_ERROR_INVALID_PARAM));
  FERRY_TRY(Ref<Model>, model, find_model((*found)->model));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  *ptr = static_cast<uint64_t*>((*found)->condition->address());
  return ACL_SUCCESS;
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) {
  if (stream == nullptr) return fail_null("stream");
  const Status added = add_condition_task(params, stream, flags);
  const bool has_array = params.modelRIArray != nullptr;
  if (!added.ok() && has_array && check_branch_count(params.type, params.size).ok()) {
    std::fill_n(params.modelRIArray, params.size, nullptr);
  }
  return added;
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                       aclmdlRICaptureMode mode) {
  if (stream == nullptr) return fail_null("stream");
  if (modelRI == nullptr) return fail_null("modelRI");
  if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "mode", mode).allowed("0 to 2");
  }
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  if ((*model)->kind() != Model::Kind::kBranch) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "modelRI", Value::beside(modelRI))
        .because(" is not a branch of a condition");
  }
  FERRY_RETURN_IF_ERROR(check_flags_for_capture(**found));
  FERRY_RETURN_IF_ERROR(check_capturable(**found));
  return begin_capture_of_branch(**found, **model, mode);
}

}  // namespace ferry::api
