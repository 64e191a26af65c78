// SPDX-License-Identifier: Apache-2.0
// Shared checks.
#include "api/arguments.h"

namespace ferry::api {

Status check_wait_time(int32_t milliseconds) {
  if (milliseconds == -1 || milliseconds > 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, milliseconds == 0 ? kEE1003 : kEH0007, "timeout",
                milliseconds)
      .allowed("-1 (for ever) or more than 0 (milliseconds)");
}

Status fail_null_in_runtime(const Argument& argument) {
  return fail_null(argument, ACL_ERROR_RT_PARAM_INVALID, kEE1004);
}

Result<Ref<Stream>> stream_of_current_context(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  return found;
}

Result<Ref<Stream>> stream_if_given(aclrtStream stream) {
  if (stream == nullptr) return Ref<Stream>();
  return find_stream(stream);
}

}  // namespace ferry::api
