// SPDX-License-Identifier: Apache-2.0
// Callbacks and host functions.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/report_threads.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

Status check_function(const void* function) {
  if (function != nullptr) return {};
  return fail_null("fn", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
}

}  // namespace

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  return subscribe_report(threadId, **found);
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  return unsubscribe_report(threadId, **found);
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "blockType", blockType).allowed("0 or 1");
  }
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_function(reinterpret_cast<const void*>(fn)));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return launch_callback(
      **found, fn, userData,
      blockType == ACL_CALLBACK_BLOCK ? CallbackBlocking::kYes : CallbackBlocking::kNo);
}

aclError aclrtProcessReport(int32_t timeout) {
  if (timeout == 0 || timeout < -1) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "timeout", timeout)
        .allowed("-1 (for ever) or more than 0 (milliseconds)");
  }
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  return process_report(timeout);
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_function(reinterpret_cast<const void*>(fn)));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return launch_host_function(**found, fn, args);
}

}  // namespace ferry::api
