// SPDX-License-Identifier: Apache-2.0
// Setting and checking variables. Only the library knows what their values mean.
#include "environment.h"

#include "commands.h"
#include "library.h"
#include "process.h"
#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ferry::tools {
namespace {

constexpr std::string_view kVisibleDevices = "ASCEND_RT_VISIBLE_DEVICES";

// "aclInit: FERRY_SOC is ... (EH0009)" without the function and the message code, which mean
// nothing to a user who typed a command.
std::string bare_reason(std::string_view text) {
  for (const std::string_view prefix :
       {std::string_view("aclInit: "), std::string_view("aclrtGetDeviceCount: "),
        std::string_view("the configuration is not usable: ")}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  const size_t bracket = text.rfind(" (E");
  if (bracket != std::string_view::npos && text.ends_with(')')) text = text.substr(0, bracket);
  return std::string(text);
}

std::string ask_library() {
  // Injected failures (FERRY_FAIL) do not make the environment invalid.
  static_cast<void>(ferryClearFailures());
  uint32_t count = 0;
  if (aclInit(nullptr) == ACL_SUCCESS && aclrtGetDeviceCount(&count) == ACL_SUCCESS) return {};
  const char* text = aclGetRecentErrMsg();
  return bare_reason(text != nullptr ? text : "the library gives no reason");
}

std::string ask_library_in_child(const std::vector<std::string>& names_to_leave_out) {
  return output_of_child([&](int output) {
    for (const std::string& name : names_to_leave_out)
      unsetenv(name.c_str());
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    write_all(output, ask_library());
  });
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  return value;
}

// Puts `entry` in front of a list and takes it out of the rest.
void put_in_front(const char* name, const std::string& entry) {
  std::string list = entry;
  const std::string old = variable(name).value_or("");
  for (size_t start = 0; start < old.size();) {
    const size_t end = std::min(old.find(':', start), old.size());
    const std::string part = old.substr(start, end - start);
    if (!part.empty() && part != entry) list.append(":").append(part);
    start = end + 1;
  }
  setenv(name, list.c_str(), 1);
}

}  // namespace

struct Settings::Row {
  const char* option;
  const char* variable;
  const char* value;
  const char* help;
  bool is_path = false;
};

CLI::Option* Settings::add_row(CLI::App& command, const Row& row, const char* group) {
  options_.push_back({row.variable, {}, row.is_path});
  return command.add_option(row.option, options_.back().values, row.help)
      ->type_name(row.value)
      ->allow_extra_args(false)
      ->group(group);
}

void Settings::add_to(CLI::App& command) {
  constexpr Row kRows[] = {
      {"--devices", "FERRY_DEVICES", "LIST", "The devices: cpu, cpu:4, cuda, cpu:2,null"},
      {"--memory", "FERRY_MEMORY", "SIZE", "Memory of one device: 8G, 512M"},
      {"--threads", "FERRY_THREADS", "N", "Copy threads of one device"},
      {"--soc", "FERRY_SOC", "NAME", "The product to emulate: Ascend910B1, Ascend310P3 ..."},
      {"--schedule", "FERRY_SCHEDULE", "WHEN",
       "When queued work runs: eager, lazy (as late as allowed), shuffle:SEED (unusual orders)"},
      {"--fail", "FERRY_FAIL", "RULE",
       "A call that is made to fail: aclrtMalloc:3=207001 (the third), aclrtMalloc:*=207001 "
       "(all)"},
      {"--log", "FERRY_LOG", "LEVEL",
       "Log level: error, warn, info, debug; info:FILE writes to a file"},
  };
  for (const Row& row : kRows)
    add_row(command, row, "What the program runs on");
}

void Settings::add_check_to(CLI::App& command) {
  constexpr const char* kGroup = "Finding misuse";
  constexpr Row kRows[] = {
      {"--rules", "FERRY_CHECK", "LIST", "Only these rules (ferry explain lists them)"},
      {"--mute", "FERRY_MUTE", "LIST", "All rules but these"},
      {"--report", "FERRY_REPORT", "FILE",
       "Also write findings to a file, as JSON; %p in the name is the process id", true},
      {"--suppressions", "FERRY_SUPPRESSIONS", "FILE",
       "Known findings, with lines of the form: rule pattern # reason", true},
  };
  CLI::Option* check =
      command
          .add_flag("--check", is_checked_,
                    "Report misuse at the call that caused it; the schedule is lazy unless given")
          ->group(kGroup);
  for (const Row& row : kRows)
    add_row(command, row, kGroup)->needs(check);
}

void Settings::apply() const {
  // --rules, which is applied below, overrides this.
  if (is_checked_) setenv("FERRY_CHECK", "1", 1);
  for (const Option& option : options_) {
    if (option.values.empty()) continue;
    std::string value = fmt::format("{}", fmt::join(option.values, ","));
    if (option.is_path && !value.empty()) value = std::filesystem::absolute(value).string();
    setenv(option.variable.c_str(), value.c_str(), 1);
  }
}

int Settings::apply_and_check(const std::string& command) const {
  apply();
  const std::string wrong = environment_error();
  if (wrong.empty()) return kExitSuccess;
  complain(command, wrong);
  // A wrong option is wrong usage; a variable that was already set is not.
  const bool is_option = std::any_of(options_.begin(), options_.end(), [&](const Option& option) {
    return !option.values.empty() && wrong.starts_with(option.variable);
  });
  return is_option ? kExitUsage : kExitFailure;
}

std::string environment_error() {
  return ask_library_in_child({});
}

std::string entry_error(const std::string& name) {
  std::vector<std::string> others = ferry_names_in_environment();
  std::erase(others, name);
  // Which devices can be visible depends on FERRY_DEVICES.
  if (name == kVisibleDevices) std::erase(others, "FERRY_DEVICES");
  return ask_library_in_child(others);
}

std::vector<std::string> ferry_names_in_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (name.starts_with("FERRY_") || name == kVisibleDevices) names.emplace_back(name);
  }
  return names;
}

std::string lead_to_library(const ProgramFile& program) {
  const std::filesystem::path library = library_path();
  const std::string folder = library.parent_path().string();
  if (folder.find_first_of(":;") != std::string::npos) {
    return fmt::format("{}: a path with a colon or semicolon cannot be handed to the loader",
                       folder);
  }
  // The loader splits LD_PRELOAD at spaces. Such a library is given by name and found by folder.
  const bool has_space = std::any_of(folder.begin(), folder.end(),
                                     [](unsigned char c) { return std::isspace(c) != 0; });
  put_in_front("LD_PRELOAD", has_space ? library.filename().string() : library.string());
  // AddressSanitizer aborts a program in which it is not the first library.
  for (const std::string& needed : program.needed) {
    if (needed.starts_with("libasan.so")) put_in_front("LD_PRELOAD", needed);
  }
  put_in_front("LD_LIBRARY_PATH", folder);
  const std::optional<std::filesystem::path> prefix = install_prefix();
  if (!prefix) return {};
  put_in_front("PYTHONPATH", (*prefix / "python" / "site-packages").string());
  for (const char* name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_CANN_PACKAGE_PATH"})
    setenv(name, prefix->c_str(), 1);
  return {};
}

}  // namespace ferry::tools
