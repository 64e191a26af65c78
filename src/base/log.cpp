// SPDX-License-Identifier: Apache-2.0
// One line per entry, written with a single write(2) so that lines of several threads do not mix.
#include "base/log.h"

#include "base/user_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <ctime>

namespace ferry {

std::atomic<LogLevel> log_level{LogLevel::kOff};

namespace {

std::atomic<int> sink{STDERR_FILENO};

const char* name_of(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return "off";
    case LogLevel::kError:
      return "error";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kDebug:
      return "debug";
  }
  return "?";
}

}  // namespace

std::string open_log(LogLevel level, const std::string& path) {
  int file = STDERR_FILENO;
  std::string wrong = path.empty() ? std::string() : open_user_file(path, file);
  if (!wrong.empty()) return wrong;
  sink.store(file);
  log_level.store(level);
  return {};
}

void write_log(LogLevel level, const char* format, ...) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm calendar{};
  localtime_r(&now.tv_sec, &calendar);
  char line[1280];
  size_t used = std::strftime(line, sizeof line, "%H:%M:%S", &calendar);
  used += static_cast<size_t>(std::snprintf(line + used, sizeof line - used, ".%06ld ferry[%d] %s ",
                                            now.tv_nsec / 1000, getpid(), name_of(level)));
  va_list arguments;
  va_start(arguments, format);
  const int text = std::vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  if (text > 0) used += std::min(static_cast<size_t>(text), sizeof line - used - 2);
  std::replace(line, line + used, '\n', ' ');  // an entry is one line, whatever its text contains
  line[used++] = '\n';
  // A failure to write the log cannot be reported anywhere.
  [[maybe_unused]] const ssize_t written = write(sink.load(), line, used);
}

}  // namespace ferry
