// SPDX-License-Identifier: Apache-2.0
// A device of this server has its logical number as its number in the super pod, as
// aclrtGetDeviceInfo tells (ACL_DEV_ATTR_SUPER_POD_DEVICE_ID).
#include "api/server_pids.h"

#include "api/arguments.h"
#include "core/runtime.h"

namespace ferry::api {

Status check_server_pids(const aclrtServerPid* entries, size_t count) {
  if (entries == nullptr) return fail_null_in_runtime("serverPids");
  if (count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "num", 0).allowed("1 or more");
  }
  for (size_t i = 0; i < count; ++i) {
    if (entries[i].pid == nullptr) return fail_null_in_runtime({"serverPids", i, "pid"});
    if (entries[i].num > 0) continue;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"serverPids", i, "num"}, 0)
        .allowed("1 or more");
  }
  return {};
}

Status check_on_this_server(const char* function, const aclrtServerPid* entries, size_t count) {
  if (!soc().traits->has_links) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001)
        .because("%s has no %s", soc().name, function);
  }
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  for (size_t i = 0; i < count; ++i) {
    if (entries[i].sdid < (*runtime)->logical_device_count()) continue;
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, {"serverPids", i, "sdid"},
                  entries[i].sdid)
        .because(", which is no device of this server");
  }
  return {};
}

}  // namespace ferry::api
