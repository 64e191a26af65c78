// SPDX-License-Identifier: Apache-2.0
// Device memory with uncorrectable errors. There is none unless it was injected (FERRY_FAIL).
#include "api/adapters.h"
#include "base/memory_faults.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"

#include <algorithm>

namespace ferry::api {
namespace {

// 107002 when the calling thread has no context on the device.
Status require_context_on(const Device& device) {
  FERRY_TRY(Ref<Context>, context, current_context());
  if (&(*context)->device() == &device) return {};
  return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018,
              "the calling thread has no context on device %d: its context is on device %d",
              device.id(), (*context)->device().id());
}

aclrtMemUceInfo info_of(const MemoryFault& fault) {
  return {.addr = fault.address, .len = fault.size, .reserved = {}};
}

Status check_reserved_words(const aclrtMemUceInfo* infos, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t word = 0; word < std::size(infos[i].reserved); ++word) {
      if (infos[i].reserved[word] == 0) continue;
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, {"memUceInfoArray", i, "reserved", word},
                    infos[i].reserved[word])
          .allowed("0");
    }
  }
  return {};
}

void repair(int32_t device, const aclrtMemUceInfo* infos, size_t count) {
  std::vector<MemoryFault> ranges;
  for (size_t i = 0; i < count; ++i)
    ranges.push_back({.device = device, .address = infos[i].addr, .size = infos[i].len});
  MemoryFaults::instance().repair(device, ranges);
}

}  // namespace

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  if (memUceInfoArray == nullptr) return fail_null("memUceInfoArray");
  if (retSize == nullptr) return fail_null("retSize");
  FERRY_TRY(Device*, device, find_device(deviceId));
  FERRY_RETURN_IF_ERROR(require_context_on(**device));
  const std::vector<MemoryFault> faults = MemoryFaults::instance().of(deviceId);
  if (arraySize < faults.size()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "arraySize", arraySize)
        .allowed("%zu or more, the number of ranges", faults.size());
  }
  std::transform(faults.begin(), faults.end(), memUceInfoArray, info_of);
  *retSize = faults.size();
  return ACL_SUCCESS;
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  constexpr size_t kMostRepaired = 128;
  if (memUceInfoArray == nullptr) return fail_null("memUceInfoArray");
  if (arraySize > kMostRepaired) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "arraySize", arraySize)
        .allowed("0 to %zu", kMostRepaired);
  }
  FERRY_RETURN_IF_ERROR(check_reserved_words(memUceInfoArray, arraySize));
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  repair(deviceId, memUceInfoArray, arraySize);
  return ACL_SUCCESS;
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  if (errorInfo == nullptr) return fail_null("errorInfo");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  *errorInfo = {};
  const std::vector<MemoryFault> faults = MemoryFaults::instance().of(deviceId);
  if (faults.empty()) return ACL_SUCCESS;
  errorInfo->tryRepair = 1;
  errorInfo->hasDetail = 1;
  errorInfo->errorType = ACL_RT_ERROR_MEMORY;
  aclrtMemUceInfoArray& all = errorInfo->detail.uceInfo;
  all.arraySize = std::min<size_t>(faults.size(), ACL_RT_MEM_UCE_INFO_MAX_NUM);
  std::transform(faults.begin(), faults.begin() + static_cast<ptrdiff_t>(all.arraySize),
                 all.memUceInfoArray, info_of);
  return ACL_SUCCESS;
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  if (errorInfo == nullptr) return fail_null("errorInfo");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  if (errorInfo->errorType != ACL_RT_ERROR_MEMORY || errorInfo->hasDetail == 0) return ACL_SUCCESS;
  const aclrtMemUceInfoArray& all = errorInfo->detail.uceInfo;
  if (all.arraySize > ACL_RT_MEM_UCE_INFO_MAX_NUM) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "errorInfo->detail.uceInfo.arraySize",
                  all.arraySize)
        .allowed("0 to %d", ACL_RT_MEM_UCE_INFO_MAX_NUM);
  }
  repair(deviceId, all.memUceInfoArray, all.arraySize);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
