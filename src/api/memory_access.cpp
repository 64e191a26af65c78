// SPDX-License-Identifier: Apache-2.0
// Who may access a mapping, and which range an address belongs to.
#include "api/adapters.h"
#include "base/status.h"
#include "core/location.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"

#include <cstdint>

namespace ferry::api {
namespace {

Status read_place(const Argument& type, const Argument& id, const aclrtMemLocation& location,
                  MemoryPlace& place) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  if (location.type == ACL_MEM_LOCATION_TYPE_HOST) {
    if (location.id != 0) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, id, location.id).allowed("0 on the host");
    }
    place = {.is_host = true, .device = nullptr};
    return {};
  }
  if (location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, type, location.type)
        .allowed("0 (host) and 1 (device)");
  }
  Device* const device = (*runtime)->device_with_logical_id(location.id);
  if (device == nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, id, location.id)
        .because(", which is not the logical number of a device that this program sees");
  }
  place = {.is_host = false, .device = device};
  return {};
}

Status check_flags(const Argument& argument, aclrtMemAccessFlags flags) {
  if (flags == ACL_RT_MEM_ACCESS_FLAGS_READWRITE) return {};
  const bool is_known =
      flags == ACL_RT_MEM_ACCESS_FLAGS_NONE || flags == ACL_RT_MEM_ACCESS_FLAGS_READ;
  return reject(is_known ? ACL_ERROR_RT_FEATURE_NOT_SUPPORT : ACL_ERROR_RT_PARAM_INVALID, kEE1003,
                argument, flags)
      .allowed("3 (ACL_RT_MEM_ACCESS_FLAGS_READWRITE)");
}

Status read_desc(const aclrtMemAccessDesc* desc, size_t i, MemoryPlace& place) {
  FERRY_RETURN_IF_ERROR(check_flags(Argument("desc", i, "flags"), desc[i].flags));
  return read_place(Argument("desc", i, "location.type"), Argument("desc", i, "location.id"),
                    desc[i].location, place);
}

}  // namespace

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  if (virPtr == nullptr) return fail_null("virPtr", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  if (desc == nullptr) return fail_null("desc", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  if (count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", 0).allowed("1 or more");
  }
  MemoryPlace place;
  for (size_t i = 0; i < count; ++i)
    FERRY_RETURN_IF_ERROR(read_desc(desc, i, place));
  for (size_t i = 0; i < count; ++i) {
    FERRY_RETURN_IF_ERROR(read_desc(desc, i, place));
    FERRY_RETURN_IF_ERROR(
        VirtualMemory::instance().grant({.address = virPtr, .size = size}, place));
  }
  return ACL_SUCCESS;
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  if (virPtr == nullptr) return fail_null("virPtr");
  if (location == nullptr) return fail_null("location");
  if (flag == nullptr) return fail_null("flag");
  MemoryPlace place;
  FERRY_RETURN_IF_ERROR(read_place("location.type", "location.id", *location, place));
  bool may_access = false;
  FERRY_RETURN_IF_ERROR(VirtualMemory::instance().query_access(virPtr, place, &may_access));
  *flag = may_access ? ACL_RT_MEM_ACCESS_FLAGS_READWRITE : ACL_RT_MEM_ACCESS_FLAGS_NONE;
  return ACL_SUCCESS;
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  if (ptr == nullptr) return fail_null("ptr");
  if (pbase == nullptr && psize == nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1022, "pbase", nullptr)
        .because(" and psize is NULL: at least one must be given");
  }
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  VirtualRange range;
  if (const auto mapping = VirtualMemory::instance().find_mapping(ptr)) {
    range = *mapping;
  } else {
    const Location location = locate(ptr);
    const bool is_allocated = location.memory.kind == FERRYX_MEMORY_DEVICE ||
                              location.memory.kind == FERRYX_MEMORY_PINNED;
    if (!is_allocated) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", ptr)
          .because(", which is not in allocated or mapped memory");
    }
    range = {.address = location.memory.address, .size = location.memory.size};
  }
  if (pbase != nullptr) *pbase = range.address;
  if (psize != nullptr) *psize = range.size;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
