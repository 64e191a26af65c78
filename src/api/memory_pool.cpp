// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory pools: their arguments, and their attributes by number.
#include "core/memory_pool.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"

#include "acl/acl_rt_memory_soma.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace ferry::api {
namespace {

// What pools answer where the contract has no code of its own.
constexpr aclError kPoolError = ACL_ERROR_RT_INTERNAL_ERROR;

Status check_properties(const aclrtMemPoolProps& properties) {
  if (properties.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "poolProps->allocType", properties.allocType)
        .allowed("0");
  }
  if (properties.location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "poolProps->location.type",
                  properties.location.type)
        .allowed("%d (device)", ACL_MEM_LOCATION_TYPE_DEVICE);
  }
  const auto* const used =
      std::find_if(std::begin(properties.reserved), std::end(properties.reserved),
                   [](unsigned char byte) { return byte != 0; });
  if (used == std::end(properties.reserved)) return {};
  const auto index = static_cast<size_t>(used - std::begin(properties.reserved));
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, Argument("poolProps->reserved", index), *used)
      .allowed("0");
}

// The limit of a pool in whole units.
Result<uint64_t> pool_size(Device& device, uint64_t wanted) {
  FERRY_RETURN_IF_ERROR(device.open().status());
  uint64_t free_bytes = 0;
  uint64_t total = 0;
  FERRY_RETURN_IF_ERROR(
      Status(device.backend().device_memory(device.handle(), &free_bytes, &total)));
  if (wanted == 0) return total / MemoryPool::kUnit * MemoryPool::kUnit;
  if (wanted <= total && MemoryPool::round_up(wanted) <= total) return MemoryPool::round_up(wanted);
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "poolProps->maxSize", wanted)
      .because(", rounded up to 2 MiB more than the %llu bytes of device %d",
               static_cast<unsigned long long>(total), device.id());
}

Status fail_attribute(aclrtMemPoolAttr attribute) {
  return reject(kPoolError, kEE1003, "attr", attribute).allowed("1 to 8");
}

// Of attributes that are 64-bit numbers.
Status set_number(MemoryPool& pool, aclrtMemPoolAttr attribute, uint64_t value) {
  if (attribute == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD) {
    if (value > pool.size()) {
      return reject(kPoolError, kEE1003, "*value", value)
          .allowed("0 to %llu, the size of the pool", static_cast<unsigned long long>(pool.size()));
    }
    pool.set_threshold(value);
    return {};
  }
  if (value != 0) {
    return reject(kPoolError, kEE1003, "*value", value).allowed("0, which resets the peak");
  }
  if (attribute == ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH) {
    pool.reset_taken_peak();
  } else {
    pool.reset_used_peak();
  }
  return {};
}

uint64_t number_of(const MemoryPool& pool, aclrtMemPoolAttr attribute) {
  const MemoryPool::Figures figures = pool.figures();
  switch (attribute) {
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
      return figures.taken;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      return figures.taken_peak;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      return figures.used;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      return figures.used_peak;
    default:
      return pool.threshold();
  }
}

// The setting behind an attribute; nullptr when the attribute is none.
std::atomic<uint32_t>* setting_of(MemoryPool& pool, aclrtMemPoolAttr attribute) {
  const auto first = ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES;
  if (attribute < first || attribute > ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES) {
    return nullptr;
  }
  return &pool.reuse_settings[static_cast<size_t>(attribute - first)];
}

bool is_number(aclrtMemPoolAttr attribute) {
  return attribute >= ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD &&
         attribute <= ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH;
}

Result<Ref<MemoryPool>> pool_with_value(aclrtMemPool pool, const void* value) {
  if (pool == nullptr) return fail_null("memPool");
  if (value == nullptr) return fail_null("value", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  return find_pool(pool, ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  if (memPool == nullptr) return fail_null("memPool");
  if (poolProps == nullptr) return fail_null("poolProps");
  FERRY_RETURN_IF_ERROR(check_properties(*poolProps));
  FERRY_TRY(Device*, device, find_device(poolProps->location.id, "poolProps->location.id"));
  FERRY_RETURN_IF_ERROR(current_context().status());
  if (poolProps->handleType != ACL_MEM_HANDLE_TYPE_NONE &&
      poolProps->handleType != ACL_MEM_HANDLE_TYPE_POSIX) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "poolProps->handleType",
                  poolProps->handleType)
        .allowed("0 or 2");
  }
  FERRY_TRY(uint64_t, size, pool_size(**device, poolProps->maxSize));
  FERRY_TRY(Ref<MemoryPool>, pool, MemoryPool::create(**device, *size));
  *memPool = (*pool)->handle();
  return ACL_SUCCESS;
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  if (memPool == nullptr) return fail_null("memPool");
  FERRY_TRY(Ref<MemoryPool>, pool, find_pool(memPool, kPoolError));
  if ((*pool)->destroy()) return ACL_SUCCESS;
  return find_pool(memPool, kPoolError).status();  // another thread has destroyed it meanwhile
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  FERRY_TRY(Ref<MemoryPool>, pool, pool_with_value(memPool, value));
  if (attr == ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT ||
      attr == ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attr", attr)
        .because(", which can only be read");
  }
  if (is_number(attr)) return set_number(**pool, attr, *static_cast<const uint64_t*>(value));
  std::atomic<uint32_t>* const setting = setting_of(**pool, attr);
  if (setting == nullptr) return fail_attribute(attr);
  *setting = *static_cast<const uint32_t*>(value) != 0 ? 1 : 0;
  return ACL_SUCCESS;
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  FERRY_TRY(Ref<MemoryPool>, pool, pool_with_value(memPool, value));
  if (is_number(attr)) {
    *static_cast<uint64_t*>(value) = number_of(**pool, attr);
    return ACL_SUCCESS;
  }
  const std::atomic<uint32_t>* const setting = setting_of(**pool, attr);
  if (setting == nullptr) return fail_attribute(attr);
  *static_cast<uint32_t*>(value) = *setting;
  return ACL_SUCCESS;
}

aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                 aclrtStream stream) {
  if (ptr == nullptr) return fail_null("ptr");
  if (memPool == nullptr) return fail_null("memPool");
  if (stream == nullptr) return fail_null("stream");
  if (size == 0) return ACL_SUCCESS;
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_TRY(Ref<MemoryPool>, pool, find_pool(memPool, kPoolError));
  if (size > UINT64_MAX - (MemoryPool::kUnit - 1)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "size", size)
        .because(", which is too large to be rounded up to 2 MiB");
  }
  return (*pool)->allocate({.requested = size, .padded = MemoryPool::round_up(size)}, **found, ptr);
}

aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  if (ptr == nullptr) return fail_null("ptr");
  if (stream == nullptr) return fail_null("stream", kPoolError, kEE1004);
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return free_in_stream_order(ptr, **found);
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  if (memPool == nullptr) return fail_null("memPool");
  FERRY_TRY(Ref<MemoryPool>, pool, find_pool(memPool, kPoolError));
  if (minBytesToKeep > (*pool)->size()) {
    return reject(kPoolError, kEE1003, "minBytesToKeep", minBytesToKeep)
        .allowed("0 to %llu, the size of the pool",
                 static_cast<unsigned long long>((*pool)->size()));
  }
  (*pool)->trim(minBytesToKeep);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
