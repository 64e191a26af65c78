// SPDX-License-Identifier: Apache-2.0
// Conversions between device numbers, and the UUID of a device.
#include "api/adapters.h"
#include "base/status.h"
#include "core/runtime.h"

#include <unistd.h>

#include <cstring>

namespace ferry::api {
namespace {

// Accepts the logical number of any device, visible to the program or not.
Status check_logical(int32_t id, const char* argument) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  const uint32_t count = (*runtime)->logical_device_count();
  if (id >= 0 && static_cast<uint32_t>(id) < count) return {};
  return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, argument, id)
      .allowed("0 to %d", static_cast<int32_t>(count) - 1);
}

}  // namespace

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  if (uuid == nullptr) return fail_null("uuid");
  FERRY_TRY(Device*, device, find_device(deviceId));
  const auto machine = static_cast<int64_t>(gethostid());
  const auto index = static_cast<int32_t>((*device)->logical_id());
  *uuid = {};
  std::memcpy(uuid->bytes, "fery", 4);
  std::memcpy(uuid->bytes + 4, &machine, sizeof machine);
  std::memcpy(uuid->bytes + 12, &index, sizeof index);
  return ACL_SUCCESS;
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  if (logicDevId == nullptr) return fail_null("logicDevId");
  FERRY_TRY(Device*, device, find_device(userDevid, "userDevid"));
  *logicDevId = (*device)->logical_id();
  return ACL_SUCCESS;
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  if (userDevid == nullptr) return fail_null("userDevid");
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  if (const Device* device = (*runtime)->device_with_logical_id(logicDevId)) {
    *userDevid = device->id();
    return ACL_SUCCESS;
  }
  return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, "logicDevId", logicDevId)
      .because(", which is not a device this program sees");
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  if (userDevId == nullptr) return fail_null("userDevId");
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  if (const Device* device = (*runtime)->device_with_logical_id(phyDevId)) {
    *userDevId = device->id();
    return ACL_SUCCESS;
  }
  return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, "phyDevId", phyDevId)
      .because(", which is not a device this program sees");
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  if (phyDevId == nullptr) return fail_null("phyDevId");
  FERRY_TRY(Device*, device, find_device(userDevId, "userDevId"));
  *phyDevId = (*device)->logical_id();
  return ACL_SUCCESS;
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  if (logicDevId == nullptr) return fail_null("logicDevId");
  FERRY_RETURN_IF_ERROR(check_logical(phyDevId, "phyDevId"));
  *logicDevId = phyDevId;
  return ACL_SUCCESS;
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  if (phyDevId == nullptr) return fail_null("phyDevId");
  FERRY_RETURN_IF_ERROR(check_logical(logicDevId, "logicDevId"));
  *phyDevId = logicDevId;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
