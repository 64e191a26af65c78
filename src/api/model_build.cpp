// SPDX-License-Identifier: Apache-2.0
// Models that are built from bound streams, and tasks that start other streams.
#include "core/model/model_build.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"
#include "core/product_features.h"

namespace ferry::api {
namespace {

constexpr uint32_t kHead = 0;

Status check_built_kind(const Model& model) {
  if (model.kind() == Model::Kind::kBuilt) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1016, "modelRI", Value::beside(model.handle()))
      .because(" was made by a capture: this function needs one of aclmdlRIBuildBegin");
}

// The default stream is never bound, but it is looked at.
Result<Ref<Stream>> stream_to_bind(aclrtStream stream) {
  if (stream != nullptr) return find_stream(stream);
  if (!find_current_context()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1004, "stream", nullptr)
        .because(" and the calling thread has no context with a default stream");
  }
  return stream_or_default(nullptr);
}

Status check_bindable(const Stream& stream) {
  FERRY_RETURN_IF_ERROR(check_not_captured(stream));
  const Value shown = Value::beside(stream.handle());
  if ((stream.flags() & ACL_STREAM_DEVICE_USE_ONLY) != 0) {
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1011, "stream", shown)
        .because(" was made with ACL_STREAM_DEVICE_USE_ONLY");
  }
  if (stream.context().failure().stops_on_failure()) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "stream", shown)
        .because(" belongs to a context that stops on failure");
  }
  if ((stream.flags() & ACL_STREAM_FAST_LAUNCH) != 0) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "stream", shown)
        .because(" was made with ACL_STREAM_FAST_LAUNCH");
  }
  if ((stream.flags() & (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE)) != 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "stream", shown)
      .because(" was made without ACL_STREAM_PERSISTENT, which a model needs");
}

}  // namespace

aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t /*flag*/) {
  if (modelRI == nullptr) return fail_null("modelRI");
  FERRY_TRY(Ref<Context>, context, current_context());
  *modelRI = Model::create(*context, Model::Kind::kBuilt, Model::State::kActive)->handle();
  return ACL_SUCCESS;
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) {
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_TRY(Ref<Stream>, found, stream_to_bind(stream));
  FERRY_RETURN_IF_ERROR(check_built_kind(**model));
  FERRY_RETURN_IF_ERROR(check_bindable(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  return bind_stream(**model, **found, flag == kHead);
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_built_kind(**model));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  return record_end(**model, **found);
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (reserve != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0012, "reserve", reserve).allowed("NULL");
  }
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_RETURN_IF_ERROR(check_built_kind(**model));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  return finish_model(**model);
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_built_kind(**model));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  return unbind_stream(**model, **found);
}

aclError aclrtPersistentTaskClean(aclrtStream stream) {
  if (stream == nullptr) return fail_null_in_runtime("stream");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_a2_or_a3("streams whose stored tasks can be removed"));
  FERRY_RETURN_IF_ERROR(check_has_stored_tasks(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  return remove_stored_tasks(**found);
}

aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  if (activeStream == nullptr) return fail_null("activeStream");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, active, find_stream(activeStream, "activeStream"));
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(bound_lane(**active).status());
  FERRY_RETURN_IF_ERROR(bound_lane(**found).status());
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**active));
  return record_activation(**active, **found);
}

aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream,
                           aclrtStream falseStream, aclrtStream stream) {
  if (leftValue == nullptr) return fail_null("leftValue");
  if (rightValue == nullptr) return fail_null("rightValue");
  if (trueStream == nullptr) return fail_null("trueStream");
  if (stream == nullptr) return fail_null("stream");
  if (falseStream != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0012, "falseStream", falseStream).allowed("NULL");
  }
  if (cond < ACL_RT_EQUAL || cond > ACL_RT_LESS_OR_EQUAL) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "cond", cond).allowed("0 to 5");
  }
  if (dataType != ACL_RT_SWITCH_INT32 && dataType != ACL_RT_SWITCH_INT64) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "dataType", dataType).allowed("0 or 1");
  }
  FERRY_TRY(Ref<Stream>, other, find_stream(trueStream, "trueStream"));
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(bound_lane(**other).status());
  FERRY_RETURN_IF_ERROR(bound_lane(**found).status());
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**other));
  return record_switch(
      {.left = leftValue, .right = rightValue, .condition = cond, .type = dataType}, **other,
      **found);
}

}  // namespace ferry::api
