// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/companion.h.
#include "ferry/companion.h"

#include "api/barrier.h"
#include "api/init.h"
#include "base/config.h"
#include "base/entries.h"
#include "base/error_state.h"
#include "base/log.h"
#include "base/status.h"
#include "core/runtime.h"

#include <unistd.h>

#include <charconv>
#include <string>

namespace ferry::api {
namespace {

template <class Body>
aclError run_for_companion(const char* function, Body body) {
  const CallScope scope(function);
  try {
    return body();
  } catch (...) {
    return code_of_exception();
  }
}

LogLevel level_of_log(aclLogLevel level) {
  switch (level) {
    case ACL_DEBUG:
      return LogLevel::kDebug;
    case ACL_INFO:
      return LogLevel::kInfo;
    case ACL_WARNING:
      return LogLevel::kWarn;
    default:
      return LogLevel::kError;
  }
}

// The devices that FERRY_DEVICES lists, or 0 where only a backend knows their number. It leaves the
// configuration of the process unread: programs ask for the number of devices first and choose the
// visible ones then.
uint32_t count_listed_devices() {
  size_t entries = 0;
  while (environ[entries] != nullptr)
    ++entries;
  const Config parsed = parse_config({environ, entries});
  if (!parsed.problems.empty()) return 0;
  uint32_t total = 0;
  for (const DeviceSpec& spec : parsed.devices) {
    if (spec.backend != "cpu" && spec.backend != "null") return 0;
    const std::string text = spec.text.value_or("1");
    uint32_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc() || stop != end || count == 0 || count > kMostDevices) return 0;
    total += count;
  }
  return total;
}

}  // namespace

extern "C" {

ACL_FUNC_VISIBILITY aclError ferryRecordError(const char* function, aclError code,
                                              const char* text) {
  if (function == nullptr || text == nullptr || code == ACL_SUCCESS) {
    return run_for_companion("ferryRecordError", [&]() -> aclError {
      if (function == nullptr) return fail_null("function");
      if (text == nullptr) return fail_null("text");
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "code", code)
          .because(", which is no failure");
    });
  }
  return run_for_companion(function, [&]() -> aclError {
    return fail(code, code == ACL_ERROR_INVALID_PARAM ? kEH0009 : kWE0001, "%s", text);
  });
}

ACL_FUNC_VISIBILITY aclError ferryGetPhysicalDeviceCount(uint32_t* count) {
  return run_for_companion("ferryGetPhysicalDeviceCount", [&]() -> aclError {
    if (count == nullptr) return fail_null("count");
    if (const uint32_t listed = count_listed_devices(); listed != 0) {
      *count = listed;
      return ACL_SUCCESS;
    }
    ensure_put_together();
    FERRY_TRY(Runtime*, runtime, Runtime::get());
    *count = (*runtime)->logical_device_count();
    return ACL_SUCCESS;
  });
}

ACL_FUNC_VISIBILITY int ferryIsLogged(aclLogLevel level) {
  ensure_put_together();
  return is_logged(level_of_log(level)) ? 1 : 0;
}

}  // extern "C"

}  // namespace ferry::api
