// SPDX-License-Identifier: Apache-2.0
// Device memory: allocating, freeing, and cache control. Caches are always coherent here.
#include "api/adapters.h"
#include "api/malloc_config.h"
#include "base/status.h"
#include "core/context.h"
#include "core/location.h"
#include "core/memory.h"
#include "core/synchronize.h"

#include <cstdint>

namespace ferry::api {
namespace {

constexpr uint64_t kPaddingUnit = 32;

// The documented padding: to a multiple of 32 bytes, and for most policies 32 bytes more.
enum class Padding { kRounded, kRoundedAndMore };

Padding padding_of(aclrtMemMallocPolicy policy) {
  const int pages = policy & 0xFF;
  return pages == ACL_MEM_MALLOC_HUGE1G_ONLY || pages == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P
             ? Padding::kRounded
             : Padding::kRoundedAndMore;
}

Status check_request(void** address, size_t size, Padding padding, PaddedSize& wanted) {
  if (address == nullptr) return fail_null("devPtr");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  const uint64_t more = padding == Padding::kRoundedAndMore ? kPaddingUnit : 0;
  if (size > UINT64_MAX - more - (kPaddingUnit - 1)) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", size)
        .because(", which is too large with its padding");
  }
  wanted = {.requested = size,
            .padded = (size + more + kPaddingUnit - 1) / kPaddingUnit * kPaddingUnit};
  return {};
}

Status allocate(void** address, size_t size, aclrtMemMallocPolicy policy, Padding padding) {
  PaddedSize wanted;
  FERRY_RETURN_IF_ERROR(check_request(address, size, padding, wanted));
  FERRY_TRY(Ref<Context>, context, current_context());
  return allocate_device_memory((*context)->device(), wanted,
                                {.policy = static_cast<uint32_t>(policy)}, address);
}

Status allocate_with(void** address, size_t size, aclrtMemMallocPolicy policy,
                     const aclrtMallocConfig* configuration) {
  if (address == nullptr) return fail_null("devPtr");
  FERRY_RETURN_IF_ERROR(check_list(configuration));
  PaddedSize wanted;
  FERRY_RETURN_IF_ERROR(check_request(address, size, padding_of(policy), wanted));
  FERRY_RETURN_IF_ERROR(check_list_given(configuration));
  FERRY_TRY(Ref<Context>, context, current_context());
  MemoryWish wish{.policy = static_cast<uint32_t>(policy)};
  FERRY_RETURN_IF_ERROR(read_device_attributes(configuration, (*context)->device(), wish));
  return allocate_device_memory((*context)->device(), wanted, wish, address);
}

Status synchronize_current_device() {
  FERRY_TRY(Ref<Context>, context, current_context());
  return synchronize_device((*context)->device(), WaitLimit::none());
}

// Flushing and invalidating make this check and do nothing else.
Status check_cached_range(void* address, size_t size) {
  if (address == nullptr) return fail_null("devPtr");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  FERRY_RETURN_IF_ERROR(current_context().status());
  const Location location = locate(address);
  if (location.is_host()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "devPtr", address)
        .because(", which is not device memory");
  }
  return check_range("devPtr", location, size, Access::kRead);
}

}  // namespace

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return allocate(devPtr, size, policy, padding_of(policy));
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return allocate(devPtr, size, policy, Padding::kRounded);
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return allocate(devPtr, size, policy, padding_of(policy));
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return allocate_with(devPtr, size, policy, cfg);
}

aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  return allocate_with(devPtr, size, policy, cfg);
}

aclError aclrtFree(void* devPtr) {
  if (devPtr == nullptr) return fail_null("devPtr");
  return free_device_memory(devPtr);
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  if (devPtr == nullptr) return fail_null("devPtr");
  FERRY_RETURN_IF_ERROR(synchronize_current_device());
  return free_device_memory(devPtr);
}

aclError aclrtMemFlush(void* devPtr, size_t size) {
  return check_cached_range(devPtr, size);
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return check_cached_range(devPtr, size);
}

}  // namespace ferry::api
