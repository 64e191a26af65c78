// SPDX-License-Identifier: Apache-2.0
// Captures: beginning, asking, ending, and the calling thread's mode.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/capture.h"
#include "core/model/recording.h"
#include "core/product_features.h"

namespace ferry::api {
namespace {

bool is_mode(int mode) {
  return mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
}

Status fail_mode(int mode) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "mode", mode).allowed("0 to 2");
}

}  // namespace

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  if (stream == nullptr) return fail_null("stream");
  if (!is_mode(mode)) return fail_mode(mode);
  FERRY_RETURN_IF_ERROR(check_has_captures());
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_flags_for_capture(**found));
  FERRY_RETURN_IF_ERROR(check_capturable(**found));
  return begin_capture(**found, mode);
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  if (stream == nullptr) return fail_null("stream");
  if (status == nullptr && modelRI == nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "status", nullptr)
        .because(" and so is modelRI: one of them must be given");
  }
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  const CaptureInfo info = capture_info(**found);
  if (status != nullptr) *status = info.status;
  if (modelRI != nullptr) *modelRI = info.model;
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_flags_for_capture(**found));
  if (modelRI == nullptr && is_origin_of_model(**found)) return fail_null_in_runtime("modelRI");
  FERRY_RETURN_IF_ERROR(check_capturable(**found));
  Result<Ref<Model>> ended = end_capture(**found);
  const bool goes_on = ended.status().code() == ACL_ERROR_RT_STREAM_NOT_CAPTURED ||
                       ended.status().code() == ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED;
  if (modelRI != nullptr && !goes_on) *modelRI = ended.ok() ? (*ended)->handle() : nullptr;
  return ended.status();
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  if (mode == nullptr) return fail_null("mode");
  if (!is_mode(*mode)) return fail_mode(*mode);
  FERRY_RETURN_IF_ERROR(current_context().status());
  *mode = exchange_thread_mode(*mode);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
