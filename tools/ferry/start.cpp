// SPDX-License-Identifier: Apache-2.0
// exec, and what its failures mean.
#include "start.h"

#include "commands.h"
#include "environment.h"
#include "text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ferry::tools {

int become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  announce_checked_run();
  execvp(arguments[0], arguments.data());
  return errno;
}

int report_failed_start(const std::string& program, int error) {
  constexpr const char* kName = "ferry run";
  struct stat status {};
  const bool has_path = program.find('/') != std::string::npos;
  const bool is_there = has_path && stat(program.c_str(), &status) == 0;
  if (error == ENOENT && !is_there) {
    complain(kName, has_path ? fmt::format("{}: no such file", program)
                             : fmt::format("{}: not found in PATH", program));
    return kExitNotFound;
  }
  if (error == ENOENT) {
    complain(kName,
             fmt::format("{}: the file exists, but its interpreter or loader does not", program));
  } else if (is_there && S_ISDIR(status.st_mode)) {
    complain(kName, fmt::format("{}: is a folder", program));
  } else if (error == EACCES && is_there && (status.st_mode & 0111U) == 0) {
    complain(kName,
             fmt::format("{}: is not executable (chmod +x, or name its interpreter)", program));
  } else {
    complain(kName, fmt::format("{}: {}", program, std::strerror(error)));
  }
  return kExitNotExecutable;
}

}  // namespace ferry::tools
