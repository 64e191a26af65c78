// SPDX-License-Identifier: Apache-2.0
// Physical memory: which kinds there are, taking it, giving it back, and its properties.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"

#include <algorithm>
#include <cstdint>

namespace ferry::api {
namespace {

// What a kind of memory is, on a device or on the host.
struct Kind {
  bool is_known = false;
  uint64_t page = kVirtualPage;
  aclrtMemAttr reported = ACL_DDR_MEM;  // what a program that asks is told
};

// Kinds of dynamic memory (DDR) are refused on a device, together with those that nobody has.
Kind kind_on_device(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_HBM_MEM_HUGE:
    case ACL_MEM_HUGE:
      return {true, kVirtualPage, ACL_HBM_MEM_HUGE};
    case ACL_HBM_MEM_NORMAL:
    case ACL_MEM_NORMAL:
      return {true, kVirtualPage, ACL_HBM_MEM_NORMAL};
    case ACL_MEM_P2P_NORMAL:
    case ACL_MEM_P2P_HUGE:
      return {true, kVirtualPage, attribute};
    case ACL_HBM_MEM_HUGE1G:
    case ACL_MEM_HUGE1G:
      return {true, kLargeVirtualPage, ACL_HBM_MEM_HUGE1G};
    case ACL_MEM_P2P_HUGE1G:
      return {true, kLargeVirtualPage, attribute};
    default:
      return {};
  }
}

Kind kind_on_host(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_DDR_MEM_HUGE:
    case ACL_MEM_HUGE:
      return {true, kVirtualPage, ACL_MEM_HUGE};
    case ACL_DDR_MEM_NORMAL:
    case ACL_MEM_NORMAL:
      return {true, kVirtualPage, ACL_MEM_NORMAL};
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_MEM_P2P_HUGE:
      return {true, kVirtualPage, ACL_MEM_P2P_HUGE};
    case ACL_DDR_MEM_P2P_NORMAL:
    case ACL_MEM_P2P_NORMAL:
      return {true, kVirtualPage, ACL_DDR_MEM_P2P_NORMAL};
    case ACL_HBM_MEM_HUGE:
    case ACL_HBM_MEM_NORMAL:
      return {true, kVirtualPage, attribute};
    case ACL_HBM_MEM_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
      return {true, kLargeVirtualPage, attribute};
    default:
      return {};
  }
}

bool is_on_device(const aclrtPhysicalMemProp& prop) {
  return prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
}

Kind kind_of(const aclrtPhysicalMemProp& prop) {
  return is_on_device(prop) ? kind_on_device(prop.memAttr) : kind_on_host(prop.memAttr);
}

bool is_place(aclrtMemLocationType type) {
  return type == ACL_MEM_LOCATION_TYPE_HOST || type == ACL_MEM_LOCATION_TYPE_DEVICE ||
         type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
}

Status check_kind_known(const aclrtPhysicalMemProp& prop) {
  if (kind_of(prop).is_known) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "prop.memAttr", prop.memAttr)
      .allowed(is_on_device(prop) ? "4, 5, 10 and 12 to 17 on a device"
                                  : "2 to 7, 10 and 12 to 17 on the host");
}

Status check_device(const aclrtPhysicalMemProp& prop) {
  if (!is_on_device(prop)) return {};
  return find_device(prop.location.id, "prop.location.id").status();
}

Status check_place(const aclrtPhysicalMemProp& prop) {
  if (!is_place(prop.location.type)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "prop.location.type", prop.location.type)
        .allowed("0 (host), 1 (device) and 4 (NUMA node of the host)");
  }
  if (prop.reserve == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "prop.reserve", prop.reserve).allowed("0");
}

// The checks of aclrtMallocPhysical that need nothing but its arguments.
Status check_arguments(const aclrtDrvMemHandle* handle, size_t size,
                       const aclrtPhysicalMemProp* prop, uint64_t flags) {
  if (handle == nullptr) return fail_null("handle");
  if (prop == nullptr) return fail_null("prop");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "prop.handleType", prop->handleType)
        .allowed("0 (ACL_MEM_HANDLE_TYPE_NONE)");
  }
  if (prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "prop.allocationType", prop->allocationType)
        .allowed("0 (ACL_MEM_ALLOCATION_TYPE_PINNED)");
  }
  const aclrtMemLocationType type = prop->location.type;
  if (type == ACL_MEM_LOCATION_TYPE_UNREGISTERED || type == ACL_MEM_LOCATION_TYPE_MANAGED) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "prop.location.type", type)
        .allowed("0 (host), 1 (device) and 4 (NUMA node of the host)");
  }
  return check_kind_known(*prop);
}

// Pages of 1 GiB: the host has none, and memory for peers has them on A3 products only.
Status check_large_pages(const aclrtPhysicalMemProp& prop) {
  if (kind_of(prop).page != kLargeVirtualPage) return {};
  const bool is_for_peers = prop.memAttr == ACL_MEM_P2P_HUGE1G;
  if (is_on_device(prop) && !(is_for_peers && !soc().traits->has_links)) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, "prop.memAttr", prop.memAttr)
      .because(", pages of 1 GiB, which %s of %s does not have",
               is_on_device(prop) ? "a device" : "the host", soc().name);
}

// The device whose backend provides the memory.
Result<Device*> provider_of(const aclrtPhysicalMemProp& prop) {
  if (is_on_device(prop)) return find_device(prop.location.id, "prop.location.id");
  const Ref<Context> context = find_current_context();
  if (context) return &context->device();
  return find_device(0);
}

constexpr uint32_t kAnyNode = UINT32_MAX;
constexpr uint32_t kLargestNode = INT32_MAX;

Status check_location(const aclrtPhysicalMemProp& prop) {
  FERRY_RETURN_IF_ERROR(check_device(prop));
  if (prop.location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA) {
    FERRY_RETURN_IF_ERROR(current_context().status());
  }
  FERRY_RETURN_IF_ERROR(check_large_pages(prop));
  FERRY_RETURN_IF_ERROR(check_place(prop));
  if (prop.location.type == ACL_MEM_LOCATION_TYPE_HOST && prop.location.id != 0) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1017, "prop.location.id", prop.location.id)
        .allowed("0 on the host");
  }
  return {};
}

Status make_request(size_t size, const aclrtPhysicalMemProp& prop, PhysicalRequest& request) {
  const Kind kind = kind_of(prop);
  if (kind.page == kVirtualPage && size % kVirtualPage != 0) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "size", size)
        .allowed("a multiple of 2 MiB (2097152)");
  }
  if (size > UINT64_MAX - kind.page) {
    return reject(ACL_ERROR_RT_MEMORY_ALLOCATION, kEE1011, "size", size)
        .because(", which no device holds");
  }
  FERRY_TRY(Device*, device, provider_of(prop));
  const bool has_node =
      prop.location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA && prop.location.id != kAnyNode;
  request = {.place = {.is_host = !is_on_device(prop), .device = *device},
             .size = (size + kind.page - 1) / kind.page * kind.page,
             .page = kind.page,
             .node = has_node ? static_cast<int32_t>(std::min(prop.location.id, kLargestNode)) : -1,
             .properties = prop};
  request.properties.memAttr = kind.reported;
  return {};
}

}  // namespace

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  if (prop == nullptr) return fail_null("prop");
  if (granularity == nullptr) return fail_null("granularity");
  FERRY_RETURN_IF_ERROR(check_kind_known(*prop));
  FERRY_RETURN_IF_ERROR(check_device(*prop));
  if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
      option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, "option", option)
        .allowed("0 (minimum) and 1 (recommended)");
  }
  FERRY_RETURN_IF_ERROR(check_place(*prop));
  *granularity = kind_of(*prop).page;
  return ACL_SUCCESS;
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  FERRY_RETURN_IF_ERROR(check_arguments(handle, size, prop, flags));
  FERRY_RETURN_IF_ERROR(check_location(*prop));
  PhysicalRequest request;
  FERRY_RETURN_IF_ERROR(make_request(size, *prop, request));
  return VirtualMemory::instance().create(request, handle);
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  if (handle == nullptr) return fail_null("handle");
  return VirtualMemory::instance().free(handle);
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  if (virPtr == nullptr) return fail_null("virPtr");
  if (handle == nullptr) return fail_null("handle");
  return VirtualMemory::instance().retain(virPtr, handle);
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp* prop) {
  if (handle == nullptr) return fail_null("handle");
  if (prop == nullptr) return fail_null("prop");
  return VirtualMemory::instance().properties(handle, prop);
}

}  // namespace ferry::api
