// SPDX-License-Identifier: Apache-2.0
// The environment of a program that runs on Ferry: the FERRY_* variables that options set, whether
// the library accepts them, and the variables by which a program finds the library.
#pragma once

#include "program_file.h"

#include <deque>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Option;
}  // namespace CLI

namespace ferry::tools {

/// Command line options that set FERRY_* variables.
class Settings {
 public:
  /// Adds --devices, --memory, --threads, --soc, --schedule, --fail and --log to a command.
  void add_to(CLI::App& command);

  /// Adds --check, --rules, --mute, --report and --suppressions.
  void add_check_to(CLI::App& command);
  void add_trace_to(CLI::App& command);

  /// Sets the variables of the given options in this process's environment.
  void apply() const;

  /// Applies the options, and asks the library whether it accepts the environment. If not, prints
  /// the reason in the name of `command` and returns the exit code; else returns 0.
  int apply_and_check(const std::string& command) const;

 private:
  struct Option {
    std::string name;  // "--devices"
    std::string variable;
    std::vector<std::string> values;  // several are joined with commas
    bool is_path = false;             // made absolute: the program may run in another folder
  };
  struct Row;
  CLI::Option* add_row(CLI::App& command, const Row& row, const char* group);

  std::deque<Option> options_;  // CLI11 keeps the addresses of the values
  bool is_checked_ = false;
};

/// Something that the library rejects in the environment.
struct Problem {
  std::string variable;      // "" when no single variable is to blame
  std::string text;          // one sentence
  bool is_of_value = false;  // the value is wrong, as opposed to something the machine lacks
  std::string value{};
  std::string allowed{};
};

/// What the library would reject in the environment; the first is what its calls would report.
/// Forked children ask the library, so this must be called before this process uses it.
std::vector<Problem> environment_problems();

/// Tells the program that this process becomes that it is the one that `ferry run --check` was
/// asked to run: it ends with a line even if it makes no call. Empties the report that it will
/// write, so that an old one is not taken for it. Does nothing unless the check is wanted.
void announce_checked_run();

/// Makes a program that this process starts load Ferry's library: LD_PRELOAD, LD_LIBRARY_PATH,
/// PYTHONPATH and, when installed, ASCEND_HOME_PATH and similar variables. Returns "" or why that
/// cannot be done.
std::string lead_to_library(const ProgramFile& program);

}  // namespace ferry::tools
