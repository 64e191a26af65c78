// SPDX-License-Identifier: Apache-2.0
// ferry run: starts a program on Ferry. The program replaces this process, so that exit code,
// signals and terminal are its own.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "repeat.h"
#include "start.h"
#include "suggest.h"
#include "text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kRunName = "ferry run";
constexpr const char* kRunFooter =
    "Examples:\n"
    "  ferry run -- ./my_program --its-own-option\n"
    "  ferry run --devices cpu:8 -- python3 serve.py       eight devices\n"
    "  ferry run --soc Ascend310P3 -- ./fallback_test      no batch copies\n"
    "  ferry run --schedule lazy -- ./transfer_test        a missing synchronisation\n"
    "                                                      fails every time\n"
    "  ferry run --fail 'aclrtMalloc:3=207001' -- ./test   the third call fails\n"
    "  ferry run --check -- ./my_program                   report misuse\n"
    "  ferry run --trace out.json -- ./my_program          when each copy ran, and how fast\n"
    "  ferry run --check --repeat 100 -- ./transfer_test   in 100 orders; names the\n"
    "                                                      seed that fails\n"
    "\n"
    "The library is preloaded (LD_PRELOAD), so that it is used even where the program\n"
    "was linked with a path to another one. Your own preloads come before it.\n"
    "The options set FERRY_* variables; ferry env shows them all.\n"
    "\n"
    "With --repeat, %s in the name of the report is the seed, and a run's output is\n"
    "shown only if it fails.\n"
    "\n"
    "Exit code: the program's own, with --repeat that of the first run that failed\n"
    "(128 + n for signal n). 86 when --check found an error and the program would\n"
    "have exited with 0. 2 wrong usage, 126 the program cannot be started, 127 it was\n"
    "not found, 1 any other failure of ferry itself.";

struct RunOptions {
  Settings settings;
  Repeats repeats;
};

int run(const RunOptions& options, const std::vector<std::string>& command) {
  if (command.empty() || command.front().empty()) {
    complain(kRunName, "no program given; for example: ferry run -- ./my_program");
    return kExitUsage;
  }
  const int refused = options.settings.apply_and_check(kRunName);
  if (refused != kExitSuccess) return refused;
  if (const std::string wrong = lead_to_library(find_program(command.front())); !wrong.empty()) {
    complain(kRunName, wrong);
    return kExitFailure;
  }
  if (options.repeats.count > 0) return repeat(command, options.repeats);
  return report_failed_start(command.front(), become(command));
}

constexpr const char* kRepeatGroup = "Running it many times";

void add_repeats(CLI::App& command, Repeats& repeats) {
  // More than anyone would wait for; the last seed must still fit into 64 bits.
  constexpr uint64_t kMostRuns = 1'000'000;
  constexpr uint64_t kMostSeed = UINT64_MAX - kMostRuns;
  CLI::Option* count =
      command
          .add_option("--repeat", repeats.count,
                      "N runs with the schedules shuffle:1 to shuffle:N, until one fails")
          ->type_name("N")
          ->check(CLI::Range(uint64_t{1}, kMostRuns).description(""))
          ->excludes(command.get_option("--schedule"))
          ->group(kRepeatGroup);
  command.add_option("--seed", repeats.first_seed, "The first seed; default 1")
      ->type_name("SEED")
      ->check(CLI::Range(uint64_t{0}, kMostSeed).description(""))
      ->needs(count)
      ->group(kRepeatGroup);
  command
      .add_flag("--keep-going", repeats.keeps_going, "Try the other seeds when a run has failed")
      ->needs(count)
      ->group(kRepeatGroup);
}

// The options that were given, as words, without those that repeat the program. Each has its value
// behind a =, which every form of option accepts.
std::vector<std::string> given_options(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name(false, false);
    if (option->count() == 0 || option->get_group() == kRepeatGroup) continue;
    for (const std::string& value : option->results()) {
      words.push_back(name);
      const bool has_value = option->get_items_expected_max() != 0 && !value.empty();
      if (has_value) words.back().append("=").append(value);
    }
  }
  return words;
}

}  // namespace

Command add_run(CLI::App& app, const std::optional<std::vector<std::string>>& after_dashes) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "run", "Start a program on Ferry, unchanged: its AscendCL calls go to this library");
  command->formatter(help_with_usage("ferry run [options] -- program [arguments]"));
  command->prefix_command();
  options->settings.add_to(*command);
  options->settings.add_check_to(*command);
  options->settings.add_trace_to(*command);
  add_repeats(*command, options->repeats);
  command->footer(kRunFooter);
  return {command, [command, options, after_dashes] {
            std::vector<std::string> program = command->remaining();
            if (!program.empty() && program.front().starts_with('-')) {
              complain(kRunName, unknown_option_text(*command, program.front()));
              return kExitUsage;
            }
            // Dashes after the name of the program belong to the program.
            if (!program.empty() && after_dashes) program.emplace_back("--");
            if (after_dashes) {
              program.insert(program.end(), after_dashes->begin(), after_dashes->end());
            }
            options->repeats.options = given_options(*command);
            return run(*options, program);
          }};
}

}  // namespace ferry::tools
