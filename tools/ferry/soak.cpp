// SPDX-License-Identifier: Apache-2.0
// ferry soak: the command line, and one child process per half.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "process.h"
#include "soak/half.h"
#include "soak/progress.h"
#include "text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace ferry::tools {
namespace {

using soak::Checker;
using soak::Half;
using soak::kSoakName;

constexpr const char* kSoakFooter =
    "What it does: in each round, new threads create one of everything (contexts,\n"
    "streams, events, notifies, memory of every kind, registrations, callbacks, host\n"
    "and device functions, batches), use it and destroy it; then the devices are\n"
    "reset. After each round the process must hold what it held before: host and\n"
    "device memory, file descriptors, threads, mappings. The checker must be silent.\n"
    "\n"
    "How it decides: a quarter of the time is warm-up. The rest is divided into four\n"
    "parts. What has a greater median in each part than in the one before, by more in\n"
    "all than allocators and the kernel vary by, has grown.\n"
    "\n"
    "Examples:\n"
    "  ferry soak                          ten minutes, half of it under the checker\n"
    "  ferry soak --minutes 600            a night: finds leaks of a few bytes\n"
    "  ferry soak --minutes 0.2            does it run?\n"
    "  ferry soak --check                  only with the checker\n"
    "  ferry soak --no-check --devices cpu:2 --schedule shuffle:1\n"
    "\n"
    "Exit code: 0; 1 when something grew, a call failed or the checker reported an\n"
    "error; 2 wrong usage.";

struct SoakOptions {
  Settings settings;
  double minutes = 10;
  uint32_t workers = 4;
  bool only_with_checker = false;
  bool only_without_checker = false;
};

std::vector<Half> halves_of(const SoakOptions& options) {
  std::vector<Checker> checkers;
  if (!options.only_with_checker) checkers.push_back(Checker::kOff);
  if (!options.only_without_checker) checkers.push_back(Checker::kOn);
  const std::chrono::duration<double, std::ratio<60>> length(options.minutes /
                                                             static_cast<double>(checkers.size()));
  std::vector<Half> halves;
  halves.reserve(checkers.size());
  for (const Checker checker : checkers) {
    halves.push_back(
        {checker, std::chrono::duration_cast<std::chrono::milliseconds>(length), options.workers});
  }
  return halves;
}

// The library reads the environment once per process, so that each half needs its own.
int run_in_child(const Half& half) {
  const int code = code_of_child([&half] {
    setenv("FERRY_CHECK", half.checker == Checker::kOn ? "1" : "0", 1);
    return soak::run_half(half);
  });
  if (code == kExitSuccess || code == kExitFailure) return code;
  soak::clear_progress();
  complain(kSoakName,
           fmt::format("{}: the process ended with the code {}", name_of(half.checker), code));
  return kExitFailure;
}

int run_soak(const SoakOptions& options) {
  if (const int refused = options.settings.apply_and_check(kSoakName); refused != kExitSuccess)
    return refused;
  int result = kExitSuccess;
  for (const Half& half : halves_of(options)) {
    if (run_in_child(half) != kExitSuccess) result = kExitFailure;
  }
  return result;
}

}  // namespace

Command add_soak(CLI::App& app) {
  auto options = std::make_shared<SoakOptions>();
  CLI::App* command = app.add_subcommand(
      "soak", "Create and destroy everything for minutes, and see that nothing leaks");
  command->formatter(help_with_usage("ferry soak [options]"));
  command->add_option("--minutes", options->minutes, "How long in all; fractions are allowed (10)")
      ->type_name("N")
      ->check(CLI::Range(0.01, 1e6).description(""));
  command->add_option("--workers", options->workers, "Threads that work at the same time (4)")
      ->type_name("N")
      ->check(CLI::Range(1U, 256U).description(""));
  CLI::Option* with = command->add_flag("--check", options->only_with_checker,
                                        "Only with the checker, for the whole time");
  command->add_flag("--no-check", options->only_without_checker, "Only without the checker")
      ->excludes(with);
  options->settings.add_to(*command);
  command->footer(kSoakFooter);
  return {command, [options] { return run_soak(*options); }};
}

}  // namespace ferry::tools
