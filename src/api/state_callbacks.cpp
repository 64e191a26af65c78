// SPDX-License-Identifier: Apache-2.0
// Registering functions that are called when streams and devices come and go, and when tasks are
// aborted; aborting all tasks of a device.
#include "core/state_callbacks.h"

#include "api/adapters.h"
#include "base/status.h"
#include "core/runtime.h"
#include "core/task_abort.h"

namespace ferry::api {

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  if (regName == nullptr) return fail_null("regName");
  return stream_state_callbacks().set(regName, callback, args);
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  if (regName == nullptr) return fail_null("regName");
  return device_state_callbacks().set(regName, callback, args);
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args) {
  if (regName == nullptr) return fail_null("regName");
  return task_abort_callbacks().set(regName, callback, args);
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  constexpr uint32_t kLongestAbort = 36 * 60 * 1000;
  if (timeout > kLongestAbort) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "timeout", timeout)
        .allowed("0 (for ever) to %u (milliseconds)", kLongestAbort);
  }
  FERRY_TRY(Device*, device, find_device(deviceId));
  return abort_tasks(**device, timeout);
}

}  // namespace ferry::api
