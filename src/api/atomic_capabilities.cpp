// SPDX-License-Identifier: Apache-2.0
// Which atomic operations devices can do outside their own memory: none, as on products without a
// unified bus.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/runtime.h"

#include <algorithm>

namespace ferry::api {
namespace {

bool is_known(aclrtAtomicOperation operation) {
  const int number = operation;
  return (number >= ACL_RT_ATOMIC_OPERATION_INTEGER_ADD &&
          number <= ACL_RT_ATOMIC_OPERATION_FLOAT_MAX) ||
         (number >= ACL_RT_ATOMIC_OPERATION_DMA_ADD && number <= ACL_RT_ATOMIC_OPERATION_DMA_MAX) ||
         (number >= ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD &&
          number <= ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH);
}

Status check_operations(const uint32_t* capabilities, const aclrtAtomicOperation* operations,
                        uint32_t count) {
  if (capabilities == nullptr) return fail_null_in_runtime("capabilities");
  if (operations == nullptr) return fail_null_in_runtime("operations");
  if (count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count).allowed("1 or more");
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (is_known(operations[i])) continue;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"operations", i}, operations[i])
        .because(", which is not a value of aclrtAtomicOperation");
  }
  return {};
}

}  // namespace

aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities,
                                              const aclrtAtomicOperation* operations,
                                              const uint32_t count, int32_t deviceId) {
  FERRY_RETURN_IF_ERROR(check_operations(capabilities, operations, count));
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  std::fill_n(capabilities, count, 0);
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities,
                                             const aclrtAtomicOperation* operations,
                                             const uint32_t count, int32_t srcDeviceId,
                                             int32_t dstDeviceId) {
  FERRY_RETURN_IF_ERROR(check_operations(capabilities, operations, count));
  FERRY_RETURN_IF_ERROR(find_device(srcDeviceId, "srcDeviceId").status());
  FERRY_RETURN_IF_ERROR(find_device(dstDeviceId, "dstDeviceId").status());
  if (srcDeviceId == dstDeviceId) {
    return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, "dstDeviceId", dstDeviceId)
        .because(", which is srcDeviceId itself");
  }
  std::fill_n(capabilities, count, 0);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
