// SPDX-License-Identifier: Apache-2.0
// The attributes of a launch, and the bytes of its arguments.
#include "base/fault_trap.h"
#include "core/kernel/kernel_launch.h"

#include <algorithm>
#include <cstring>

namespace ferry {
namespace {

Status check_switch(size_t index, const char* member, uint32_t value) {
  if (value <= 1) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, Argument("cfg->attrs", index, member), value)
      .allowed("0 or 1");
}

Status check_attribute(size_t index, const aclrtLaunchKernelAttr& attribute) {
  switch (attribute.id) {
    case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
      return check_switch(index, "value.schemMode", attribute.value.schemMode);
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:
      return check_switch(index, "value.isBlockTaskPrefetch", attribute.value.isBlockTaskPrefetch);
    case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP:
      return check_switch(index, "value.isDataDump", attribute.value.isDataDump);
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING:
      return check_switch(index, "value.enableProfiling", attribute.value.enableProfiling);
    default:
      return {};
  }
}

bool is_known(const aclrtLaunchKernelAttr& attribute) {
  return attribute.id >= ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE &&
         attribute.id <= ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING;
}

bool has(const LaunchAttributes& attributes, aclrtLaunchKernelAttrId id) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const aclrtLaunchKernelAttr& one) { return one.id == id; });
}

}  // namespace

Status take_bytes(char* to, const void* from, size_t size, const Argument& argument) {
  const void* const fault = catch_fault([&](FaultTrap& trap) {
    trap.expect(to, from, size);
    std::memcpy(to, from, size);
  });
  if (fault == nullptr) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, from)
      .because(" and %zu bytes, of which the host may not read %p", size, fault);
}

Result<LaunchAttributes> check_launch_config(const aclrtLaunchKernelCfg* config) {
  LaunchAttributes attributes;
  if (config == nullptr) return attributes;
  if (config->attrs == nullptr) {
    return fail_null("cfg->attrs", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  }
  for (size_t i = 0; i < config->numAttrs; ++i) {
    FERRY_RETURN_IF_ERROR(check_attribute(i, config->attrs[i]));
    if (is_known(config->attrs[i])) attributes.push_back(config->attrs[i]);
  }
  if (has(attributes, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT) &&
      has(attributes, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "cfg->attrs")
        .because(" has a timeout in seconds and one in microseconds, allowed is one of them");
  }
  return attributes;
}

}  // namespace ferry
