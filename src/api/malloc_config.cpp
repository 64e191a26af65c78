// SPDX-License-Identifier: Apache-2.0
// Attributes of allocations.
#include "api/malloc_config.h"

#include <span>

namespace ferry::api {
namespace {

std::span<const aclrtMallocAttribute> attributes_of(const aclrtMallocConfig* configuration) {
  if (configuration == nullptr) return {};
  return {configuration->attrs, configuration->numAttrs};
}

Status fail_attribute(int attribute, const char* allowed) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attr", attribute).allowed("%s", allowed);
}

}  // namespace

Status check_list(const aclrtMallocConfig* configuration) {
  if (configuration == nullptr || configuration->attrs != nullptr || configuration->numAttrs == 0) {
    return {};
  }
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "cfg->attrs", nullptr)
      .because(", but cfg->numAttrs is %zu", configuration->numAttrs);
}

Status check_list_given(const aclrtMallocConfig* configuration) {
  if (configuration == nullptr || configuration->attrs != nullptr) return {};
  return fail_null("cfg->attrs", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
}

Status read_device_attributes(const aclrtMallocConfig* configuration, const Device& device,
                              MemoryWish& wish) {
  for (const aclrtMallocAttribute& attribute : attributes_of(configuration)) {
    switch (attribute.attr) {
      case ACL_RT_MEM_ATTR_RSV:
        break;
      case ACL_RT_MEM_ATTR_MODULE_ID:
        wish.module = attribute.value.moduleId;
        break;
      case ACL_RT_MEM_ATTR_DEVICE_ID:
        if (static_cast<int64_t>(attribute.value.deviceId) == device.id()) break;
        return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "deviceId", attribute.value.deviceId)
            .allowed("the device of the current context, %d", device.id());
      default:
        return fail_attribute(attribute.attr, "RSV (0), MODULE_ID (1) or DEVICE_ID (2)");
    }
  }
  return {};
}

Status read_host_attributes(const aclrtMallocConfig* configuration) {
  for (const aclrtMallocAttribute& attribute : attributes_of(configuration)) {
    if (attribute.attr == ACL_RT_MEM_ATTR_MODULE_ID) continue;
    if (attribute.attr != ACL_RT_MEM_ATTR_VA_FLAG) {
      return fail_attribute(attribute.attr, "MODULE_ID (1) or VA_FLAG (3)");
    }
    if (attribute.value.vaFlag != 0) {
      return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "vaFlag", attribute.value.vaFlag)
          .detail(", supported is ")
          .allowed("0");
    }
  }
  return {};
}

}  // namespace ferry::api
