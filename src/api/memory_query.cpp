// SPDX-License-Identifier: Apache-2.0
// Attributes of addresses, and the amount of free and used memory.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/location.h"
#include "core/managed_hints.h"
#include "core/memory.h"
#include "core/memory_pool.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"

#include <unistd.h>

#include <algorithm>

namespace ferry::api {
namespace {

aclrtMemLocation location_of(const Location& location) {
  if (!location.is_host()) {
    return {.id = location.memory.device,
            .type = location.is_managed() ? ACL_MEM_LOCATION_TYPE_MANAGED
                                          : ACL_MEM_LOCATION_TYPE_DEVICE};
  }
  return {.id = 0,
          .type = location.is_pageable() ? ACL_MEM_LOCATION_TYPE_UNREGISTERED
                                         : ACL_MEM_LOCATION_TYPE_HOST};
}

uint64_t page_size_of(const Location& location) {
  if (location.is_managed()) return kManagedPage;
  if (location.is_device() && VirtualMemory::instance().find_mapping(location.address)) {
    return kVirtualPage;
  }
  if (is_pool_memory(location.address)) return MemoryPool::kUnit;
  return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Whether memory is of one of the types of aclrtCheckMemType and belongs to the device, or to none.
// No memory is that of DVPP.
bool is_of_type(const void* address, uint32_t types, uint32_t device) {
  const ferryx_memory memory = locate(address).memory;
  const bool is_device = memory.kind == FERRYX_MEMORY_DEVICE || memory.kind == FERRYX_MEMORY_REMOTE;
  const bool is_elsewhere = is_device && memory.device != device;
  if (VirtualMemory::instance().is_reserved(address)) {
    return (types & ACL_RT_MEM_TYPE_RSVD) != 0 && !is_elsewhere;
  }
  return (types & ACL_RT_MEM_TYPE_DEV) != 0 && is_device && !is_elsewhere;
}

}  // namespace

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  if (ptr == nullptr) return fail_null("ptr");
  if (attributes == nullptr) return fail_null("attributes");
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  *attributes = {};
  const Location location = locate(ptr);
  attributes->location = location_of(location);
  attributes->pageSize = static_cast<uint32_t>(page_size_of(location));
  return ACL_SUCCESS;
}

aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t reserve) {
  if (addrList == nullptr) return fail_null("addrList");
  if (checkResult == nullptr) return fail_null("checkResult");
  *checkResult = 0;
  if (reserve != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "reserve", reserve).allowed("0");
  }
  if (size == 0) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", 0).allowed("1 or more");
  constexpr uint32_t kKnown = ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD;
  if ((memType & ~kKnown) != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "memType", Value::hex(memType))
        .allowed("any of 0x2, 0x8 and 0x10");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  const auto device = static_cast<uint32_t>((*context)->device().id());
  const bool are_all = std::all_of(addrList, addrList + size, [&](const void* address) {
    return is_of_type(address, memType, device);
  });
  *checkResult = are_all ? 1 : 0;
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
