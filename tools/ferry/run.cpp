// SPDX-License-Identifier: Apache-2.0
// ferry run: starts a program on Ferry. The program takes the place of this process, so that exit
// code, signals and terminal are its own.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kName = "ferry run";
constexpr const char* kFooter =
    "Examples:\n"
    "  ferry run -- ./my_program --its-own-option\n"
    "  ferry run --devices cpu:8 -- python3 serve.py       eight devices\n"
    "  ferry run --soc Ascend310P3 -- ./fallback_test      no batch copies\n"
    "  ferry run --schedule lazy -- ./transfer_test        a missing synchronisation\n"
    "                                                      fails every time\n"
    "  ferry run --fail 'aclrtMalloc:3=207001' -- ./test   the third one fails\n"
    "\n"
    "The library is put in front with LD_PRELOAD, so that it is used even where the\n"
    "program was linked with a path to another one. The options stand for FERRY_*\n"
    "variables; ferry env shows them all.\n"
    "\n"
    "Exit code: the program's own. 2 wrong usage, 126 the program cannot be started,\n"
    "127 it was not found, 1 any other failure of ferry itself.";

struct RunOptions {
  Settings settings;
  std::string ignored;  // values of options that are refused anyway
};

// Why a program could not be started, and the exit code a shell has for it.
int report_failed_start(const std::string& program, int error) {
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
             fmt::format("{}: the file is there, but its interpreter or loader is not", program));
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

int start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return report_failed_start(command.front(), errno);
}

int run(const RunOptions& options, const std::vector<std::string>& command) {
  if (!command.empty() && command.front().starts_with('-')) {
    complain(kName, fmt::format("{}: no such option; see ferry run --help", command.front()));
    return kExitUsage;
  }
  if (command.empty() || command.front().empty()) {
    complain(kName, "no program is named; for example: ferry run -- ./my_program");
    return kExitUsage;
  }
  const int refused = options.settings.apply_and_check(kName);
  if (refused != kExitSuccess) return refused;
  if (const std::string wrong = lead_to_library(find_program(command.front())); !wrong.empty()) {
    complain(kName, wrong);
    return kExitFailure;
  }
  return start(command);
}

// Options that the program will have. They are known so that asking for them is answered.
constexpr const char* kLater[] = {"--check", "--trace"};

}  // namespace

Command add_run(CLI::App& app, const std::optional<std::vector<std::string>>& after_dashes) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "run", "Start a program on Ferry, unchanged: its AscendCL calls go to this library");
  command->formatter(help_with_usage("ferry run [options] -- program [arguments]"));
  command->prefix_command();
  options->settings.add_to(*command);
  for (const char* later : kLater) {
    command->add_option(later, options->ignored, "Not part of this version")
        ->type_name("")
        ->expected(0, 1)
        ->group(kHiddenGroup);
  }
  command->footer(kFooter);
  return {command, [command, options, after_dashes] {
            for (const char* later : kLater) {
              if (command->count(later) == 0) continue;
              complain(kName, fmt::format("{} is not part of this version", later));
              return kExitUsage;
            }
            std::vector<std::string> program = command->remaining();
            // Dashes behind the name of the program belong to the program.
            if (!program.empty() && after_dashes) program.emplace_back("--");
            if (after_dashes) {
              program.insert(program.end(), after_dashes->begin(), after_dashes->end());
            }
            return run(*options, program);
          }};
}

}  // namespace ferry::tools
