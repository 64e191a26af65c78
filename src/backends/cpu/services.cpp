// SPDX-License-Identifier: Apache-2.0
// The runtime services: failing with a text, and deadlines.
#include "backends/cpu/services.h"

#include <cstdarg>
#include <cstdio>

namespace ferry::cpu {

const ferryx_runtime* services = nullptr;

int fail(int code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return services->fail(code, text);
}

Clock::time_point deadline_after(int64_t timeout) {
  const Clock::time_point now = Clock::now();
  const auto left = Clock::time_point::max() - now;
  return std::chrono::nanoseconds(timeout) >= left ? Clock::time_point::max()
                                                   : now + std::chrono::nanoseconds(timeout);
}

}  // namespace ferry::cpu
