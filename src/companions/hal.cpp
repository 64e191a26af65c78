// SPDX-License-Identifier: Apache-2.0
// libascend_hal.so: the few functions of the driver that programs call. Devices have their numbers
// from before ASCEND_RT_VISIBLE_DEVICES.
#include "companions/declarations.h"
#include "companions/support.h"

#include "ferry/companion.h"

// NOLINTNEXTLINE(readability-identifier-naming): an older name of libascendcl.so
extern "C" int32_t rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType,
                                   int64_t* val);

namespace {

constexpr int kInterfaceVersion = 0x072419;
constexpr UINT32 kMostRegisterFlag = 7;

}  // namespace

drvError_t drvGetDevNum(uint32_t* num_dev) {
  if (num_dev == nullptr) return DRV_ERROR_INVALID_VALUE;
  return ferryGetPhysicalDeviceCount(num_dev) == ACL_SUCCESS ? DRV_ERROR_NONE : DRV_ERROR_NO_DEVICE;
}

drvError_t halGetDeviceInfo(uint32_t devId, int32_t moduleType, int32_t infoType, int64_t* value) {
  if (value == nullptr) return DRV_ERROR_INVALID_VALUE;
  int32_t device = 0;
  if (aclrtGetUserDevIdByLogicDevId(static_cast<int32_t>(devId), &device) != ACL_SUCCESS) {
    return DRV_ERROR_INVALID_DEVICE;
  }
  const int32_t code = rtGetDeviceInfo(static_cast<uint32_t>(device), moduleType, infoType, value);
  return code == ACL_SUCCESS ? DRV_ERROR_NONE : DRV_ERROR_NOT_SUPPORT;
}

drvError_t halGetAPIVersion(int* halAPIVersion) {
  if (halAPIVersion == nullptr) return DRV_ERROR_INVALID_VALUE;
  *halAPIVersion = kInterfaceVersion;
  return DRV_ERROR_NONE;
}

drvError_t halHostRegister(void* src_ptr, UINT64 size, UINT32 flag, UINT32 /*devid*/,
                           void** dst_ptr) {
  if (src_ptr == nullptr || dst_ptr == nullptr || flag > kMostRegisterFlag) {
    return DRV_ERROR_INVALID_VALUE;
  }
  const aclError code = aclrtHostRegister(src_ptr, size, ACL_HOST_REGISTER_MAPPED, dst_ptr);
  return code == ACL_SUCCESS ? DRV_ERROR_NONE : DRV_ERROR_PARA_ERROR;
}

drvError_t halHostUnregisterEx(void* src_ptr, UINT32 /*devid*/, UINT32 /*flag*/) {
  const aclError code = aclrtHostUnregister(src_ptr);
  return code == ACL_SUCCESS ? DRV_ERROR_NONE : DRV_ERROR_INVALID_VALUE;
}
