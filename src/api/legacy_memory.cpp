// SPDX-License-Identifier: Apache-2.0
// Older names: allocating, copying and sharing memory.
#include "api/legacy.h"
#include "base/status.h"
#include "core/context.h"
#include "core/ipc_memory.h"
#include "dispatch/dispatch_table.h"

#include <span>

namespace ferry::legacy {
namespace {

constexpr uint32_t kHostType = 0x81;  // RT_MEMORY_HOST; all others are device memory

// rtMemcpyKind_t: the first four values are those of aclrtMemcpyKind.
enum : int32_t {
  kDeviceToDevice = 3,
  kManaged = 4,
  kHostToDeviceEx = 6,
  kDeviceToHostEx = 7,
  kDefault = 8,
};

// The kinds with "ex" let the program reuse the host memory at once, which every blocking copy
// does.
enum class Form { kNow, kAsync };
Result<aclrtMemcpyKind> kind_of(int32_t kind, Form form) {
  if (kind >= 0 && kind <= kDeviceToDevice) return static_cast<aclrtMemcpyKind>(kind);
  switch (kind) {
    case kManaged:
    case kDefault:
      return ACL_MEMCPY_DEFAULT;
    case kHostToDeviceEx:
      return form == Form::kAsync ? ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE : ACL_MEMCPY_HOST_TO_DEVICE;
    case kDeviceToHostEx:
      return ACL_MEMCPY_DEVICE_TO_HOST;
    default:
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", kind).allowed("0 to 4 and 6 to 8");
  }
}

}  // namespace

aclError allocate(void** address, uint64_t size, uint32_t type) {
  if (type == kHostType) return dispatch().aclrtMallocHost(address, size);
  return dispatch().aclrtMalloc(address, size, ACL_MEM_MALLOC_HUGE_FIRST);
}

aclError release(void* address) {
  if (address != nullptr) {
    const Location location = locate(address);
    if (location.is_host() && !location.is_pageable()) return dispatch().aclrtFreeHost(address);
  }
  return dispatch().aclrtFree(address);
}

aclError pointer_attributes(PointerAttributes* attributes, const void* address) {
  if (attributes == nullptr) return fail_null("attributes");
  aclrtPtrAttributes known{};
  const aclError found = dispatch().aclrtPointerGetAttributes(address, &known);
  if (found != ACL_SUCCESS) return found;
  const bool is_device = known.location.type == ACL_MEM_LOCATION_TYPE_DEVICE ||
                         known.location.type == ACL_MEM_LOCATION_TYPE_MANAGED;
  const uint32_t type = is_device ? kDeviceMemory : kHostMemory;
  *attributes = {.memory_type = type,
                 .location_type = type,
                 .device = is_device ? known.location.id : 0,
                 .page_size = known.pageSize};
  return ACL_SUCCESS;
}

aclError copy_now(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind) {
  FERRY_TRY(aclrtMemcpyKind, known, kind_of(kind, Form::kNow));
  return dispatch().aclrtMemcpy(dst, dest_max, src, count, *known);
}

aclError copy_async(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind,
                    aclrtStream stream) {
  FERRY_TRY(aclrtMemcpyKind, known, kind_of(kind, Form::kAsync));
  return dispatch().aclrtMemcpyAsync(dst, dest_max, src, count, *known, stream);
}

aclError close_import(const void* address) {
  if (address == nullptr) return fail_null("ptr");
  FERRY_RETURN_IF_ERROR(current_context().status());
  char key[sharing::kKeySize];
  FERRY_RETURN_IF_ERROR(IpcMemory::instance().choose_import(
      address, std::span<char, sharing::kKeySize>(key, sizeof key)));
  return dispatch().aclrtIpcMemClose(key);
}

}  // namespace ferry::legacy
