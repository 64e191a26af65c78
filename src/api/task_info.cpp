// SPDX-License-Identifier: Apache-2.0
// What a program attaches to the task that it has queued last.
#include "core/model/task_info.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/kernel/kernel_launch.h"
#include "core/product_features.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry::api {
namespace {

constexpr size_t kMostInfo = 65536;
constexpr size_t kMostText = 4096;

}  // namespace

aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t infoSize) {
  if (infoPtr == nullptr) return fail_null("infoPtr");
  if (infoSize == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "infoSize", 0).allowed("1 to %zu", kMostInfo);
  }
  FERRY_RETURN_IF_ERROR(check_has_captures());
  if (infoSize > kMostInfo) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "infoSize", infoSize)
        .allowed("1 to %zu", kMostInfo);
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  std::vector<char> bytes(infoSize);
  FERRY_RETURN_IF_ERROR(take_bytes(bytes.data(), infoPtr, infoSize, "infoPtr"));
  return attach_operator_info(std::move(bytes));
}

aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t infoSize) {
  FERRY_RETURN_IF_ERROR(check_has_captures());
  if (extendInfoPtr == nullptr) return fail_null_in_runtime("extendInfoPtr");
  if (infoSize == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "infoSize", 0).allowed("1 or more");
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  std::string text(std::min(infoSize, kMostText), '\0');
  FERRY_RETURN_IF_ERROR(take_bytes(text.data(), extendInfoPtr, text.size(), "extendInfoPtr"));
  text.resize(strnlen(text.data(), text.size()));  // programs may count the end of the text
  return attach_text(std::move(text));
}

}  // namespace ferry::api
