// SPDX-License-Identifier: Apache-2.0
// Attributes of addresses, and the amount of free and used memory.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/location.h"
#include "core/memory.h"
#include "core/runtime.h"

#include <unistd.h>

#include <algorithm>

namespace ferry::api {
namespace {

aclrtMemLocation location_of(const Location& location) {
  if (location.is_device()) {
    return {.id = location.memory.device, .type = ACL_MEM_LOCATION_TYPE_DEVICE};
  }
  return {.id = 0,
          .type = location.is_pageable() ? ACL_MEM_LOCATION_TYPE_UNREGISTERED
                                         : ACL_MEM_LOCATION_TYPE_HOST};
}

}  // namespace

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  if (ptr == nullptr) return fail_null("ptr");
  if (attributes == nullptr) return fail_null("attributes");
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  *attributes = {};
  attributes->location = location_of(locate(ptr));
  attributes->pageSize = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  if (free == nullptr) return fail_null("free");
  if (total == nullptr) return fail_null("total");
  FERRY_TRY(Ref<Context>, context, current_context());
  if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attr", attr).allowed("0 to 17");
  }
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  const Device& device = (*context)->device();
  FERRY_RETURN_IF_ERROR(
      Status(device.backend().device_memory(device.handle(), &free_bytes, &total_bytes)));
  *free = free_bytes;
  *total = total_bytes;
  return ACL_SUCCESS;
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  if (memUsageInfo == nullptr) return fail_null("memUsageInfo");
  if (outputNum == nullptr) return fail_null("outputNum");
  if (inputNum == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "inputNum", 0).allowed("1 or more");
  }
  FERRY_TRY(Device*, device, find_device(deviceId));
  const std::vector<ModuleUsage> usage = memory_usage(**device);
  *outputNum = std::min(inputNum, usage.size());
  for (size_t i = 0; i < *outputNum; ++i) {
    memUsageInfo[i] = {};
    std::snprintf(memUsageInfo[i].name, sizeof memUsageInfo[i].name, "module %u", usage[i].module);
    memUsageInfo[i].curMemSize = usage[i].bytes;
    memUsageInfo[i].memPeakSize = usage[i].peak_bytes;
  }
  return ACL_SUCCESS;
}

}  // namespace ferry::api
