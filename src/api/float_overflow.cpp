// SPDX-License-Identifier: Apache-2.0
// Overflow modes and switches: only stored and returned, because Ferry does not compute.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/stream.h"

namespace ferry::api {

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "mode", mode).allowed("0 or 1");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  (*context)->device().overflow_mode = mode;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  if (mode == nullptr) return fail_null("mode");
  FERRY_TRY(Ref<Context>, context, current_context());
  *mode = static_cast<aclrtFloatOverflowMode>((*context)->device().overflow_mode.load());
  return ACL_SUCCESS;
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (flag > 1) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0 or 1");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  (*found)->overflow_switch = flag;
  return ACL_SUCCESS;
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  if (flag == nullptr) return fail_null("flag");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  *flag = (*found)->overflow_switch;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
