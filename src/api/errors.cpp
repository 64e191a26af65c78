// SPDX-License-Identifier: Apache-2.0
// Last error, recent text, exception reports.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/error_state.h"
#include "base/status.h"
#include "core/exception_report.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

Status check_level(aclrtLastErrLevel level) {
  if (level == ACL_RT_THREAD_LEVEL) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "level", level).allowed("0");
}

// One member of the report that the calling exception callback received.
uint32_t number_of(const aclrtExceptionInfo* info, uint32_t rtExceptionInfo::*member) {
  if (const rtExceptionInfo* known = find_exception_info(info)) return known->*member;
  // The result is no aclError: the text is all that can be told.
  static_cast<void>(
      reject(ACL_ERROR_INVALID_PARAM, kEH0009, "info", info)
          .because(", which is not the report of an exception callback that runs now"));
  return 0xFFFFFFFF;
}

}  // namespace

const char* aclGetRecentErrMsg() {
  return take_recent_text();
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  FERRY_RETURN_IF_ERROR(check_level(level));
  return peek_last_error();
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  FERRY_RETURN_IF_ERROR(check_level(level));
  return take_last_error();
}

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  FERRY_RETURN_IF_ERROR(set_exception_callback(callback));
  return ACL_SUCCESS;
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  if (callback == nullptr) return fail_null_in_runtime("callback");
  return add_exception_callback(callback);
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  if (callback == nullptr) return fail_null_in_runtime("callback");
  return remove_exception_callback(callback);
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &rtExceptionInfo::task_id);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &rtExceptionInfo::stream_id);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &rtExceptionInfo::thread_id);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &rtExceptionInfo::device_id);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &rtExceptionInfo::error_code);
}

}  // namespace ferry::api
