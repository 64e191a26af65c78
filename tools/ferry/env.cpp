// SPDX-License-Identifier: Apache-2.0
// ferry env: the variables that the library reads, their values, and whether it accepts them.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kEnvFooter =
    "Examples:\n"
    "  ferry env                      all variables, and what is wrong with them\n"
    "  FERRY_MEMORY=lots ferry env    tries a value\n"
    "\n"
    "An invalid value is never ignored: aclInit returns 100000, or the\n"
    "first call that needs a device returns 507033.\n"
    "\n"
    "Exit code: 0 when all values are accepted, else 1.";

Cell value_cell(const char* name, const std::vector<Problem>& problems) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {"not set", Paint::kDim};
  const bool is_wrong = std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.variable == name;
  });
  return is_wrong ? Cell(fmt::format("\"{}\" (wrong)", value), Paint::kBad)
                  : Cell(fmt::format("\"{}\"", value), Paint::kGood);
}

int show_environment() {
  // Forked children ask the library, so this comes before this process uses it.
  const std::vector<Problem> problems = environment_problems();

  Table table({"variable", "value", "what it does"});
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i) {
    const std::string allowed =
        variable.values[0] == '\0' ? "" : fmt::format(". Allowed: {}", variable.values);
    table.add({variable.name, value_cell(variable.name, problems), variable.meaning + allowed});
  }
  fmt::print("{}", table.text());

  if (problems.empty()) {
    fmt::print("\nThe library accepts this environment.\n");
    return kExitSuccess;
  }
  fmt::print("\n{}\n", painted(Paint::kBad, "The library refuses this environment:"));
  for (const Problem& problem : problems)
    fmt::print("  {}\n", wrapped(problem.text, 4, text_width()));
  return kExitFailure;
}

}  // namespace

Command add_env(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "env",
      "Show the environment variables of the library, their values and whether they are valid");
  command->formatter(help_with_usage("ferry env"));
  command->footer(kEnvFooter);
  return {command, [] { return show_environment(); }};
}

}  // namespace ferry::tools
