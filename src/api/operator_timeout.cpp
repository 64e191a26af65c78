// SPDX-License-Identifier: Apache-2.0
// The time limit of operators. Ferry runs no operators: the limit is only kept and returned.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"

#include <algorithm>
#include <atomic>

namespace ferry::api {
namespace {

// In microseconds. The device counts intervals in one byte; with this one the longest limit is the
// documented default of 1091 seconds.
constexpr uint64_t kInterval = 4'294'967;
constexpr uint64_t kLongest = kInterval * 254;

std::atomic<uint64_t> operator_timeout{kLongest};

void set_timeout(uint64_t microseconds) {
  operator_timeout = microseconds == 0 ? kLongest : std::min(microseconds, kLongest);
}

}  // namespace

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  FERRY_RETURN_IF_ERROR(current_context().status());
  set_timeout(uint64_t{timeout} * 1'000'000);
  return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  set_timeout(uint64_t{timeout} * 1000);
  return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  if (actualTimeout == nullptr) return fail_null("actualTimeout");
  FERRY_RETURN_IF_ERROR(current_context().status());
  set_timeout(timeout);
  *actualTimeout = operator_timeout;
  return ACL_SUCCESS;
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  if (timeoutMs == nullptr) return fail_null("timeoutMs");
  *timeoutMs = static_cast<uint32_t>((operator_timeout + 999) / 1000);
  return ACL_SUCCESS;
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  if (interval == nullptr) return fail_null("interval");
  FERRY_RETURN_IF_ERROR(current_context().status());
  *interval = kInterval;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
