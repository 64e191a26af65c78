// SPDX-License-Identifier: Apache-2.0
// libascendalog.so: lines that other libraries log go into the log of FERRY_LOG.
#include "companions/declarations.h"

#include "ferry/companion.h"

#include <cstdarg>
#include <cstdio>

namespace {

// Levels of that interface: 0 debug, 1 info, 2 warning, 3 error; others, such as events, are left
// out.
constexpr int32_t kMostLevel = 3;

bool is_shown(int32_t level) {
  return level >= 0 && level <= kMostLevel && ferryIsLogged(static_cast<aclLogLevel>(level)) != 0;
}

void write_line(uint32_t module, int32_t level, const char* format, va_list arguments) {
  if (format == nullptr || !is_shown(level)) return;
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  aclAppLog(static_cast<aclLogLevel>(level), "log", "module", module, "%s", text);
}

}  // namespace

int32_t AlogCheckDebugLevel(uint32_t /*moduleId*/, int32_t level) {
  return is_shown(level) ? 1 : 0;
}

int32_t CheckLogLevel(int32_t /*moduleId*/, int32_t level) {
  return is_shown(level) ? 1 : 0;
}

int32_t AlogRecord(uint32_t moduleId, uint32_t /*logType*/, int32_t level, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  write_line(moduleId, level, fmt, arguments);
  va_end(arguments);
  return 0;
}

void DlogRecord(int32_t moduleId, int32_t level, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  write_line(static_cast<uint32_t>(moduleId), level, fmt, arguments);
  va_end(arguments);
}

// The least level that is shown; 4 when none is.
int32_t dlog_getlevel(int32_t /*moduleId*/, int32_t* enableEvent) {
  if (enableEvent != nullptr) *enableEvent = 0;
  int32_t level = 0;
  while (level <= kMostLevel && !is_shown(level))
    ++level;
  return level;
}
