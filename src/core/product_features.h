// SPDX-License-Identifier: Apache-2.0
// Features that whole families of products have.
#pragma once

#include "base/status.h"
#include "core/runtime.h"

#include <string_view>

namespace ferry {

inline bool is_ascend_950() {
  return std::string_view(soc().traits->family) == "950";
}

inline bool is_a2_or_a3() {
  const std::string_view family = soc().traits->family;
  return family == "A2" || family == "A3";
}

// 207000 on products whose streams cannot be captured.
inline Status check_has_captures() {
  const std::string_view name = soc().name;
  const bool is_earlier = std::string_view(soc().traits->family) == "earlier";
  if (!is_earlier || name.starts_with("Ascend310P")) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s cannot capture streams", soc().name);
}

// 207000 on other products. `what` in the plural, for the text.
inline Status check_a2_or_a3(const char* what) {
  if (is_a2_or_a3()) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s has no %s", soc().name, what);
}

}  // namespace ferry
