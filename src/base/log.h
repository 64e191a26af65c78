// SPDX-License-Identifier: Apache-2.0
// The log enabled by FERRY_LOG; silent by default. When off, it costs one load and a branch.
#pragma once

#include <atomic>
#include <string>

namespace ferry {

enum class LogLevel : int { kOff, kError, kWarn, kInfo, kDebug };

extern std::atomic<LogLevel> log_level;

inline bool is_logged(LogLevel level) {
  return level <= log_level.load(std::memory_order_relaxed);
}

// Opens the sink: `path` empty means standard error. Returns "" or what is wrong with the file, as
// open_user_file does.
std::string open_log(LogLevel level, const std::string& path);

[[gnu::cold, gnu::format(printf, 2, 3)]] void write_log(LogLevel level, const char* format, ...);

}  // namespace ferry

#define FERRY_LOG(level, ...)                                    \
  do {                                                           \
    if (::ferry::is_logged(::ferry::LogLevel::level))            \
      ::ferry::write_log(::ferry::LogLevel::level, __VA_ARGS__); \
  } while (false)
