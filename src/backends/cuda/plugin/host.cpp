// SPDX-License-Identifier: Apache-2.0
// Services of the runtime.
#include "backends/cuda/plugin/host.h"

#include <cstdarg>
#include <cstdio>

namespace ferry::cuda {

const ferryx_host* host = nullptr;

int fail(int code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return host->fail(code, text);
}

int fail(const Trouble& trouble) {
  return trouble.ok() ? 0 : host->fail(trouble.code, trouble.text.c_str());
}

Clock::time_point deadline_after(int64_t timeout) {
  if (timeout == FERRYX_FOREVER) return Clock::time_point::max();
  const Clock::time_point now = Clock::now();
  const auto left = Clock::time_point::max() - now;
  return std::chrono::nanoseconds(timeout) >= left ? Clock::time_point::max()
                                                   : now + std::chrono::nanoseconds(timeout);
}

}  // namespace ferry::cuda
