// SPDX-License-Identifier: Apache-2.0
// Setting, resetting and synchronising devices.
#include "core/device.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"
#include "core/state_callbacks.h"
#include "core/synchronize.h"

#include <unistd.h>

#include <chrono>

namespace ferry::api {

aclError aclrtGetDeviceCount(uint32_t* count) {
  if (count == nullptr) return fail_null("count");
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  *count = (*runtime)->device_count();
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) {
  FERRY_TRY(Device*, device, find_device(deviceId));
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_SET_PRE);
  FERRY_TRY(Ref<Context>, primary, (*device)->retain_primary());
  set_current_context((*primary)->handle());
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_SET_POST);
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t deviceId) {
  FERRY_TRY(Device*, device, find_device(deviceId));
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_RESET_PRE);
  FERRY_RETURN_IF_ERROR((*device)->release_primary());
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_RESET_POST);
  return ACL_SUCCESS;
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  FERRY_TRY(Device*, device, find_device(deviceId));
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_RESET_PRE);
  FERRY_RETURN_IF_ERROR((*device)->release_primary_now());
  tell_device_state(deviceId, ACL_RT_DEVICE_STATE_RESET_POST);
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t* deviceId) {
  if (deviceId == nullptr) return fail_null("deviceId");
  FERRY_TRY(Ref<Context>, context, current_context());
  *deviceId = (*context)->device().id();
  return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  if (runMode == nullptr) return fail_null("runMode");
  *runMode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtSetTsDevice(aclrtTsId tsId) {
  if (tsId != ACL_TS_ID_AICORE && tsId != ACL_TS_ID_AIVECTOR) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "tsId", tsId).allowed("0 or 1");
  }
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice() {
  FERRY_TRY(Ref<Context>, context, current_context());
  return synchronize_device((*context)->device(), WaitLimit::none());
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  FERRY_RETURN_IF_ERROR(check_wait_time(timeout));
  FERRY_TRY(Ref<Context>, context, current_context());
  return synchronize_device((*context)->device(), WaitLimit(timeout));
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  if (deviceStatus == nullptr) return fail_null("deviceStatus");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  if (pid == nullptr) return fail_null("pid");
  *pid = getpid();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
