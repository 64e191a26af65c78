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
#include <map>
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

Cell value_cell(const char* name, const std::map<std::string, std::string>& errors) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {"not set", Paint::kDim};
  const auto error = errors.find(name);
  const bool is_wrong = error != errors.end() && !error->second.empty();
  return is_wrong ? Cell(fmt::format("\"{}\" (wrong)", value), Paint::kBad)
                  : Cell(fmt::format("\"{}\"", value), Paint::kGood);
}

int show_environment() {
  // Forked children ask the library, so this comes before this process uses it.
  const std::string wrong_together = environment_error();
  std::map<std::string, std::string> errors;
  for (const std::string& name : ferry_names_in_environment())
    errors[name] = entry_error(name);

  Table table({"variable", "value", "what it does"});
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i) {
    const std::string allowed =
        variable.values[0] == '\0' ? "" : fmt::format(". Allowed: {}", variable.values);
    table.add({variable.name, value_cell(variable.name, errors), variable.meaning + allowed});
  }
  fmt::print("{}", table.text());

  bool is_explained = false;
  std::string list;
  for (const auto& [name, error] : errors) {
    if (error.empty()) continue;
    is_explained = true;
    list += fmt::format("  {}\n", wrapped(error, 4, text_width()));
  }
  if (!is_explained && !wrong_together.empty()) list = fmt::format("  {}\n", wrong_together);
  if (list.empty()) {
    fmt::print("\nThe library accepts this environment.\n");
    return kExitSuccess;
  }
  fmt::print("\n{}\n{}", painted(Paint::kBad, "The library refuses this environment:"), list);
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
