// SPDX-License-Identifier: Apache-2.0
// Streams that store a value in device memory, or wait for one.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/location.h"
#include "core/value.h"

namespace ferry::api {
namespace {

Status check_value_flag(uint32_t flag, uint32_t most) {
  if (flag <= most) return {};
  Rejection rejected = reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag);
  return most == 0 ? rejected.allowed("0") : rejected.allowed("0 to %u", most);
}

}  // namespace

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  if (devAddr == nullptr) return fail_null("devAddr");
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_value_flag(flag, 0));
  FERRY_TRY(Location, location, locate_value(devAddr));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return queue_value_write(**found, *location, value);
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  if (devAddr == nullptr) return fail_null("devAddr");
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_value_flag(flag, ACL_STREAM_WAIT_VALUE_NOR));
  FERRY_TRY(Location, location, locate_value(devAddr));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  // The flags of the API are the numbers of the interface.
  return queue_value_wait(**found, *location, value, static_cast<ferryx_comparison>(flag));
}

}  // namespace ferry::api
