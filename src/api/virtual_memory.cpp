// SPDX-License-Identifier: Apache-2.0
// Reserved addresses and mappings.
#include "core/virtual_memory.h"

#include "api/adapters.h"
#include "base/status.h"
#include "core/runtime.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace ferry::api {
namespace {

constexpr uint64_t kLargestWithSmallPages = uint64_t{512} << 20;

// The checks that both forms of reserving share.
Status check_reserve(void** address, size_t size, size_t alignment, uint64_t flags) {
  if (address == nullptr) return fail_null("virPtr");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (flags > 1) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0 and 1");
  }
  if (alignment == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "alignment", alignment).allowed("0");
}

// What a wanted address must be a multiple of.
uint64_t wanted_alignment(size_t size) {
  if (size > kLargestWithSmallPages) return kLargeVirtualPage;
  return std::max<uint64_t>(std::bit_ceil(size), kVirtualPage);
}

Status check_wanted(void* wanted, uint64_t alignment) {
  if (reinterpret_cast<uintptr_t>(wanted) % alignment == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "expectPtr", wanted)
      .allowed("a multiple of %llu", static_cast<unsigned long long>(alignment));
}

Status check_links(const char* function) {
  if (soc().traits->has_links) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001)
      .because("%s has no %s", soc().name, function);
}

Status map(void* address, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags,
           VirtualMemory::MapAccess access) {
  if (address == nullptr) return fail_null("virPtr");
  if (handle == nullptr) return fail_null("handle");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  if (offset != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "offset", offset).allowed("0");
  }
  return VirtualMemory::instance().map({.address = address, .size = size}, handle, access);
}

}  // namespace

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  FERRY_RETURN_IF_ERROR(check_reserve(virPtr, size, alignment, flags));
  FERRY_RETURN_IF_ERROR(check_wanted(expectPtr, wanted_alignment(size)));
  const uint64_t start_alignment = size > kLargestWithSmallPages ? kLargeVirtualPage : kVirtualPage;
  return VirtualMemory::instance().reserve(
      {.size = size, .alignment = start_alignment, .wanted = expectPtr}, virPtr);
}

aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment,
                                          void* expectPtr, uint64_t flags) {
  FERRY_RETURN_IF_ERROR(check_reserve(virPtr, size, alignment, flags));
  if (expectPtr == nullptr) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, "expectPtr", nullptr)
        .because(", but the address must be given");
  }
  if (size % kLargeVirtualPage != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size).allowed("a multiple of 1 GiB");
  }
  FERRY_RETURN_IF_ERROR(check_wanted(expectPtr, kLargeVirtualPage));
  FERRY_RETURN_IF_ERROR(check_links("aclrtReserveMemAddressNoUCMemory"));
  return VirtualMemory::instance().reserve(
      {.size = size, .alignment = kLargeVirtualPage, .wanted = expectPtr}, virPtr);
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  if (virPtr == nullptr) return fail_null("virPtr");
  return VirtualMemory::instance().release(virPtr);
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return map(virPtr, size, offset, handle, flags, VirtualMemory::MapAccess::kNow);
}

aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
  return map(virPtr, size, offset, handle, flags, VirtualMemory::MapAccess::kLater);
}

aclError aclrtUnmapMem(void* virPtr) {
  if (virPtr == nullptr) return fail_null("virPtr");
  return VirtualMemory::instance().unmap(virPtr);
}

aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc, uint32_t linkIdx) {
  if (virPtrDst == nullptr) return fail_null("virPtrDst");
  if (virPtrSrc == nullptr) return fail_null("virPtrSrc");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (linkIdx > ACL_RT_MEM_ACCESS_LINK_HCCS) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "linkIdx", linkIdx)
        .allowed("0 (SIO) and 1 (HCCS)");
  }
  FERRY_RETURN_IF_ERROR(check_links("aclrtMemMapSelectedLink"));
  return VirtualMemory::instance().map_alias(virPtrDst, size, virPtrSrc);
}

aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink) {
  if (handle == nullptr) return fail_null("handle");
  if (adviceLink < 0 || adviceLink > ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "adviceLink", adviceLink).allowed("0 to 3");
  }
  FERRY_RETURN_IF_ERROR(check_links("aclrtMemMapSetLink"));
  if (adviceLink <= ACL_RT_MEM_ACCESS_LINK_HCCS) return ACL_SUCCESS;
  return reject(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, kEE1006, "adviceLink", adviceLink)
      .because(", a link that %s does not have", soc().name);
}

}  // namespace ferry::api
