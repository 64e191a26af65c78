// SPDX-License-Identifier: Apache-2.0
// Limits for the kernels of a device: kept and returned.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/product_features.h"

namespace ferry::api {
namespace {

// Of SIMD kernels; those of SIMT kernels can be any number.
struct SizeRule {
  uint32_t least;
  uint32_t most;
  uint32_t step;  // sizes are rounded up to a multiple
};
constexpr SizeRule kStack{.least = 1, .most = 196608, .step = 16384};
constexpr SizeRule kPrintBuffer{.least = 1024, .most = 67108864, .step = 8};
constexpr SizeRule kAnySize{.least = 0, .most = UINT32_MAX, .step = 1};

const SizeRule& rule_of(aclrtDeviceLimit limit) {
  if (limit == ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE) return kStack;
  return limit == ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE ? kPrintBuffer : kAnySize;
}

Status check_limit(aclrtDeviceLimit limit) {
  if (limit >= ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE && limit <= ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE)
    return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "limit", limit).allowed("0 to 4");
}

Status check_limit_product(aclrtDeviceLimit limit) {
  const bool is_simt = &rule_of(limit) == &kAnySize;
  if (!is_simt || is_ascend_950()) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "limit", limit)
      .because(", a limit of SIMT kernels, which %s does not have", soc().name);
}

}  // namespace

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) {
  FERRY_RETURN_IF_ERROR(check_limit(limit));
  if (value > UINT32_MAX) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "value", value).allowed("0 to %u", UINT32_MAX);
  }
  FERRY_RETURN_IF_ERROR(check_limit_product(limit));
  const SizeRule& rule = rule_of(limit);
  if (value < rule.least || value > rule.most) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "value", value)
        .allowed("%u to %u", rule.least, rule.most);
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  const size_t rounded = (value + rule.step - 1) / rule.step * rule.step;
  (*context)->device().kernel_limits[limit] = static_cast<uint32_t>(rounded);
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_limit(limit));
  FERRY_RETURN_IF_ERROR(check_limit_product(limit));
  FERRY_TRY(Ref<Context>, context, current_context());
  *value = (*context)->device().kernel_limits[limit];
  return ACL_SUCCESS;
}

}  // namespace ferry::api
