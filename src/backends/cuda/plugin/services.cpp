// SPDX-License-Identifier: Apache-2.0
// Recording errors and moving bytes through the runtime, and timeouts as deadlines.
#include "backends/cuda/plugin/services.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace ferry::cuda {

const ferryx_runtime* services = nullptr;

int fail(int code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return services->fail(code, text);
}

const void* move_bytes(const ferryx_copy* items, size_t count) {
  constexpr size_t kNeeded = offsetof(ferryx_runtime, move_bytes) + sizeof(void*);
  const bool is_offered = services != nullptr && services->struct_size >= kNeeded;
  if (is_offered && services->move_bytes != nullptr) {
    return services->move_bytes(items, count);
  }
  for (size_t i = 0; i < count; ++i)
    std::memmove(items[i].dst_storage, items[i].src_storage, items[i].size);
  return nullptr;
}

Clock::time_point deadline_after(int64_t timeout) {
  if (timeout == FERRYX_FOREVER) return Clock::time_point::max();
  const Clock::time_point now = Clock::now();
  const auto left = Clock::time_point::max() - now;
  return std::chrono::nanoseconds(timeout) >= left ? Clock::time_point::max()
                                                   : now + std::chrono::nanoseconds(timeout);
}

}  // namespace ferry::cuda
