// SPDX-License-Identifier: Apache-2.0
// Device information: properties of the emulated product, and the resources of the device.
#include "api/adapters.h"
#include "base/config.h"
#include "base/status.h"
#include "core/device.h"
#include "core/product_features.h"
#include "core/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace ferry::api {
namespace {

// Figures of an Ascend 910B. Programs use them to size their work; Ferry itself does not.
constexpr int64_t kAiCpus = 6;
constexpr int64_t kL2Bytes = int64_t{192} << 20;
constexpr int64_t kLocalBytes = int64_t{192} << 10;

struct FixedProperty {
  aclrtDevAttr attribute;
  int64_t value;
};

constexpr FixedProperty kFixedProperties[] = {
    {ACL_DEV_ATTR_AICPU_CORE_NUM, kAiCpus},
    {ACL_DEV_ATTR_WARP_SIZE, 32},
    {ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE, 2048},
    {ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, kLocalBytes},
    {ACL_DEV_ATTR_MAX_GRID_DIM_X, 65535},
    {ACL_DEV_ATTR_MAX_GRID_DIM_Y, 65535},
    {ACL_DEV_ATTR_MAX_GRID_DIM_Z, 65535},
    {ACL_DEV_ATTR_MAX_BLOCK_PER_GRID, 65535},
    {ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK, 2048},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_X, 2048},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_Y, 2048},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_Z, 2048},
    {ACL_DEV_ATTR_L2_CACHE_SIZE, kL2Bytes},
    {ACL_DEV_ATTR_SMP_ID, 0},
    {ACL_DEV_ATTR_SUPER_POD_SERVER_ID, 0},
    {ACL_DEV_ATTR_SUPER_POD_ID, 0},
    {ACL_DEV_ATTR_CUST_OP_PRIVILEGE, 0},
    {ACL_DEV_ATTR_MAINBOARD_ID, 0},
    {ACL_DEV_ATTR_HD_CONNECT_TYPE, ACL_HOST_DEVICE_CONNECT_TYPE_PCIE},
    {ACL_DEV_ATTR_DEVICE_FORM_FACTOR, ACL_DEVICE_FORM_FACTOR_PCIE_CARD},
    {ACL_DEV_ATTR_IS_VIRTUAL, 0},
    {ACL_DEV_ATTR_NPU_ARCH, 2201},
};

Status measure(Device& device, uint64_t& free_bytes, uint64_t& total_bytes) {
  FERRY_TRY(ferryx_device*, open, device.open());
  return Status(device.backend().device_memory(*open, &free_bytes, &total_bytes));
}

}  // namespace

const char* aclrtGetSocName() {
  if (config().problems.empty()) return soc().name;
  // The result is no aclError: the text is all that can be told.
  static_cast<void>(fail(ACL_ERROR_INVALID_PARAM, kEH0009, config().problems.front()));
  return nullptr;
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_TRY(Device*, device, find_device(deviceId));
  if (attr == ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE) {
    uint64_t free_bytes = 0;
    uint64_t total_bytes = 0;
    FERRY_RETURN_IF_ERROR(measure(**device, free_bytes, total_bytes));
    *value = static_cast<int64_t>(total_bytes);
    return ACL_SUCCESS;
  }
  if (attr == ACL_DEV_ATTR_PHY_CHIP_ID || attr == ACL_DEV_ATTR_SUPER_POD_DEVICE_ID) {
    *value = (*device)->logical_id();
    return ACL_SUCCESS;
  }
  if (attr == ACL_DEV_ATTR_AICORE_CORE_NUM || attr == ACL_DEV_ATTR_CUBE_CORE_NUM) {
    *value = soc().cube_cores;
    return ACL_SUCCESS;
  }
  if (attr == ACL_DEV_ATTR_VECTOR_CORE_NUM) {
    *value = soc().vector_cores;
    return ACL_SUCCESS;
  }
  const auto* found =
      std::find_if(std::begin(kFixedProperties), std::end(kFixedProperties),
                   [&](const FixedProperty& property) { return property.attribute == attr; });
  if (found == std::end(kFixedProperties)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attr", attr)
        .because(", which is not a value of aclrtDevAttr");
  }
  *value = found->value;
  return ACL_SUCCESS;
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  if (value == nullptr) return fail_null("value");
  if (deviceInfo < ACL_DEVICE_INFO_AI_CORE_NUM || deviceInfo > ACL_DEVICE_INFO_L2_SIZE) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "deviceInfo", deviceInfo).allowed("0 to 2");
  }
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  const int64_t answers[] = {soc().cube_cores, soc().vector_cores, kL2Bytes};
  *value = answers[deviceInfo];
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                  int32_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
      devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "devFeatureType", devFeatureType)
        .allowed("1 or 21");
  }
  // Memory queues belong to a chapter that is refused here.
  const bool has_it =
      devFeatureType == ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV && is_a2_or_a3();
  *value = has_it ? ACL_DEV_FEATURE_SUPPORT : ACL_DEV_FEATURE_NOT_SUPPORT;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  if (utilizationInfo == nullptr) return fail_null("utilizationInfo");
  FERRY_TRY(Device*, device, find_device(deviceId));
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  FERRY_RETURN_IF_ERROR(measure(**device, free_bytes, total_bytes));
  utilizationInfo->cubeUtilization = -1;
  utilizationInfo->vectorUtilization = -1;
  utilizationInfo->aicpuUtilization = -1;
  utilizationInfo->memoryUtilization =
      static_cast<int32_t>((total_bytes - free_bytes) * 100 / std::max<uint64_t>(total_bytes, 1));
  return ACL_SUCCESS;
}

}  // namespace ferry::api
