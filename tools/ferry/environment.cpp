// SPDX-License-Identifier: Apache-2.0
// Setting and checking variables. Only the library knows what their values mean.
#include "environment.h"

#include "commands.h"
#include "library.h"
#include "process.h"
#include "suggest.h"
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
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace ferry::tools {
namespace {

// As the library decides it.
bool is_check_wanted() {
  const char* value = std::getenv("FERRY_CHECK");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

// Five fields for each problem, each with a final 0.
std::string listed_problems() {
  std::string list;
  ferryErrorInfo problem{};
  problem.structSize = sizeof problem;
  for (size_t i = 0; ferryGetProblem(i, &problem) == ACL_SUCCESS; ++i) {
    for (const std::string& field :
         {std::string(problem.argument), std::string(problem.text), std::to_string(problem.code),
          std::string(problem.value), std::string(problem.allowed)})
      list.append(field).push_back('\0');
  }
  return list;
}

// Asks in a child, because the library reads the environment once.
std::vector<Problem> ask_library_in_child(const std::set<std::string>& names_to_leave_out) {
  std::istringstream list(output_of_child([&](int output) {
    for (const std::string& name : names_to_leave_out)
      unsetenv(name.c_str());
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    // Failures that were asked for are no fault of the environment.
    static_cast<void>(ferryClearFailures());
    // Nothing was recorded yet: the file is not made, and an older one stays.
    static_cast<void>(ferryTraceStop());
    uint32_t count = 0;
    static_cast<void>(aclrtGetDeviceCount(&count));
    write_all(output, listed_problems());
  }));
  std::vector<Problem> problems;
  std::string code;
  for (Problem problem; std::getline(list, problem.variable, '\0') &&
                        std::getline(list, problem.text, '\0') && std::getline(list, code, '\0') &&
                        std::getline(list, problem.value, '\0') &&
                        std::getline(list, problem.allowed, '\0');) {
    problem.is_of_value = code == std::to_string(ACL_ERROR_INVALID_PARAM);
    problems.push_back(problem);
  }
  return problems;
}

// "; did you mean lazy?", from what the library says is allowed.
std::string similar_value(const Problem& problem) {
  std::string value = problem.value;
  std::erase(value, '"');
  std::vector<std::string> known = words_of(problem.allowed);
  if (problem.variable == "FERRY_FAIL") {
    ferryFunction function{};
    for (size_t i = 0; ferryGetFunction(i, &function) == ACL_SUCCESS; ++i)
      known.emplace_back(function.name);
  }
  return suggestion(value.substr(0, value.find(':')), known);
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  return value;
}

// The entries of a list, without empty ones and without `left_out`.
std::vector<std::string> entries_of(const char* name, const char* separators,
                                    const std::string& left_out) {
  std::vector<std::string> entries;
  const std::string list = variable(name).value_or("");
  for (size_t start = 0; start < list.size();) {
    const size_t end = std::min(list.find_first_of(separators, start), list.size());
    const std::string entry = list.substr(start, end - start);
    if (!entry.empty() && entry != left_out) entries.push_back(entry);
    start = end + 1;
  }
  return entries;
}

void set_list(const char* name, const std::vector<std::string>& entries) {
  setenv(name, fmt::format("{}", fmt::join(entries, ":")).c_str(), 1);
}

// Puts `entry` in front of a list and takes it out of the rest.
void put_in_front(const char* name, const std::string& entry) {
  std::vector<std::string> entries = entries_of(name, ":", entry);
  entries.insert(entries.begin(), entry);
  set_list(name, entries);
}

// Behind the user's own preloads, so that one that defines a function of the API is called and
// reaches Ferry with RTLD_NEXT. In front of other libraries of our name, which would replace it.
void preload(const std::string& library) {
  const auto is_of_our_name = [&](const std::string& entry) {
    return std::filesystem::path(entry).filename() == std::filesystem::path(library).filename();
  };
  std::vector<std::string> entries = entries_of("LD_PRELOAD", ": ", library);
  const auto others =
      std::stable_partition(entries.begin(), entries.end(), std::not_fn(is_of_our_name));
  entries.insert(others, library);
  set_list("LD_PRELOAD", entries);
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
  options_.push_back({row.option, row.variable, {}, row.is_path});
  return command.add_option(row.option, options_.back().values, row.help)
      ->type_name(row.value)
      ->allow_extra_args(false)
      ->group(group);
}

void Settings::add_to(CLI::App& command) {
  constexpr Row kRows[] = {
      {"--devices", "FERRY_DEVICES", "LIST", "The devices: cpu, cpu:4, cuda, cpu:2,null"},
      {"--memory", "FERRY_MEMORY", "SIZE",
       "Memory of one device: 8G, 512M; shared:8G for all processes together"},
      {"--threads", "FERRY_THREADS", "N", "Copy threads of one device"},
      {"--soc", "FERRY_SOC", "NAME", "The product to emulate: Ascend910B1, Ascend310P3 ..."},
      {"--cann", "FERRY_CANN", "RELEASE", "The release of CANN to emulate: 8.5, 9.0, 9.1"},
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

void Settings::add_trace_to(CLI::App& command) {
  constexpr const char* kGroup = "Seeing what it does";
  CLI::Option* trace = add_row(
      command,
      {"--trace", "FERRY_TRACE", "FILE",
       "Record all calls and copies: out.json, out.json.gz, out.pftrace or a folder/; %p in the "
       "name is the process id",
       true},
      kGroup);
  add_row(command,
          {"--trace-options", "FERRY_TRACE_OPTIONS", "LIST",
           "items (of batches), contents (hashes), stacks (of calls), ring=N (only the latest N "
           "works)"},
          kGroup)
      ->needs(trace);
  std::vector<std::string>& trace_options = options_.back().values;
  command
      .add_flag_callback(
          "--stacks", [&trace_options] { trace_options.emplace_back("stacks"); },
          "Record the whole stack of every call, not only where it was made")
      ->group(kGroup)
      ->needs(trace);
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
  const std::vector<Problem> problems = environment_problems();
  if (problems.empty()) return kExitSuccess;
  const Problem& first = problems.front();
  const std::string similar = similar_value(first);
  // A wrong option is wrong usage; a variable that was already set is not, nor a missing device.
  const auto option = std::find_if(options_.begin(), options_.end(), [&](const Option& other) {
    return !other.values.empty() && first.variable == other.variable;
  });
  if (option == options_.end()) {
    complain(command, first.text + similar);
    return kExitFailure;
  }
  // The text begins with the variable, which the user has not written.
  std::string text = first.text;
  if (text.starts_with(first.variable)) text.replace(0, first.variable.size(), option->name);
  complain(command, text + similar);
  return first.is_of_value ? kExitUsage : kExitFailure;
}

std::vector<Problem> environment_problems() {
  std::vector<Problem> all;
  std::set<std::string> left_out;
  // Some problems show only when others are out of the way.
  for (;;) {
    std::set<std::string> blamed;
    for (Problem& problem : ask_library_in_child(left_out)) {
      if (left_out.contains(problem.variable)) continue;
      blamed.insert(problem.variable);
      // Which devices can be visible depends on which there are.
      if (problem.variable == "FERRY_DEVICES") blamed.insert("ASCEND_RT_VISIBLE_DEVICES");
      all.push_back(std::move(problem));
    }
    if (blamed.empty()) return all;
    left_out.merge(blamed);
  }
}

void announce_checked_run() {
  unsetenv("_FERRY_RUN");
  if (!is_check_wanted()) return;
  const std::string process = std::to_string(getpid());
  setenv("_FERRY_RUN", process.c_str(), 1);
  std::string report = variable("FERRY_REPORT").value_or("");
  for (size_t at = report.find("%p"); at != std::string::npos; at = report.find("%p", at))
    report.replace(at, 2, process);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(report, ignored)) {
    std::filesystem::resize_file(report, 0, ignored);
  }
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
  const auto preload_file = [&](const std::filesystem::path& file) {
    preload(has_space ? file.filename().string() : file.string());
  };
  const std::filesystem::path signals = library.parent_path() / "libferry_signals.so";
  if (is_check_wanted() && std::filesystem::exists(signals)) preload_file(signals);
  preload_file(library);
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
  setenv("ASCEND_OPP_PATH", (*prefix / "opp").c_str(), 1);
  return {};
}

}  // namespace ferry::tools
