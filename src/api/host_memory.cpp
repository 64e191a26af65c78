// SPDX-License-Identifier: Apache-2.0
// Pinned host memory, and registering host memory of the program.
#include "api/adapters.h"
#include "api/malloc_config.h"
#include "base/status.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/runtime.h"
#include "core/synchronize.h"

namespace ferry::api {
namespace {

constexpr uintptr_t kRegisterAlignment = 4096;
constexpr uint32_t kRegisterFlags =
    ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;

Status check_size(uint64_t size) {
  if (size != 0) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
}

Status check_registration_alignment(const void* address) {
  if (reinterpret_cast<uintptr_t>(address) % kRegisterAlignment == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
      .allowed("an address aligned to 4096 bytes");
}

}  // namespace

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  if (hostPtr == nullptr) return fail_null("hostPtr");
  FERRY_RETURN_IF_ERROR(check_size(size));
  FERRY_TRY(Ref<Context>, context, current_context());
  return allocate_host_memory((*context)->device(), size, hostPtr);
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  if (ptr == nullptr) return fail_null("ptr");
  FERRY_RETURN_IF_ERROR(check_size(size));
  FERRY_RETURN_IF_ERROR(check_list_given(cfg));
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(read_host_attributes(cfg));
  return allocate_host_memory((*context)->device(), size, ptr);
}

aclError aclrtFreeHost(void* hostPtr) {
  if (hostPtr == nullptr) return fail_null("hostPtr");
  return free_host_memory(hostPtr);
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  if (hostPtr == nullptr) return fail_null("hostPtr");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(synchronize_device((*context)->device(), WaitLimit::none()));
  return free_host_memory(hostPtr);
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  if (ptr == nullptr) return fail_null("ptr");
  if (devPtr == nullptr) return fail_null("devPtr");
  FERRY_RETURN_IF_ERROR(check_size(size));
  if ((static_cast<uint32_t>(type) &
       ~uint32_t{ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY}) != 0) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "type",
                  Value::hex(static_cast<uint32_t>(type)))
        .detail(", supported are ")
        .allowed("0, 0x4 and 0x8");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(check_not_registered(ptr, size));
  FERRY_RETURN_IF_ERROR(check_registration_alignment(ptr));
  return register_host_memory((*context)->device(), ptr, size, Mapping::kMapped, devPtr);
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  if (ptr == nullptr) return fail_null("ptr");
  FERRY_RETURN_IF_ERROR(check_size(size));
  if (flag == 0 || (flag & ~kRegisterFlags) != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "flag", Value::hex(flag))
        .allowed("a combination of 0x2, 0x4, 0x8 and 0x10000000");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  const bool is_mapped = (flag & ACL_HOST_REG_MAPPED) != 0;
  return register_host_memory((*context)->device(), ptr, size,
                              is_mapped ? Mapping::kMapped : Mapping::kNone, nullptr);
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  if (pHost == nullptr) return fail_null("pHost");
  if (pDevice == nullptr) return fail_null("pDevice");
  if (flag != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "flag", flag).allowed("0");
  FERRY_RETURN_IF_ERROR(current_context().status());
  return device_address_of(pHost, pDevice);
}

aclError aclrtHostUnregister(void* ptr) {
  if (ptr == nullptr) return fail_null("ptr");
  FERRY_RETURN_IF_ERROR(current_context().status());
  return unregister_host_memory(ptr);
}

aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                     aclrtHostMemMapCapability* capabilities) {
  if (capabilities == nullptr) return fail_null("capabilities");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  if (hacType < ACL_RT_HAC_TYPE_STARS || hacType > ACL_RT_HAC_TYPE_CCU) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "hacType", hacType).allowed("0 to 9");
  }
  *capabilities = ACL_RT_HOST_MEM_MAP_SUPPORTED;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
