// SPDX-License-Identifier: Apache-2.0
// ferry help: the same text as COMMAND --help.
#include "commands.h"
#include "help.h"
#include "suggest.h"
#include "text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace ferry::tools {
namespace {

constexpr const char* kHelpFooter =
    "Examples:\n"
    "  ferry help             all commands\n"
    "  ferry help run         the options of ferry run, with examples\n"
    "  ferry explain 107002   what a code, a function, a variable or a rule means";

int show_help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    // Not app.help(), which would be that of the command that was given: of this one.
    fmt::print("{}", app.get_formatter()->make_help(&app, "", CLI::AppFormatMode::Normal));
    return kExitSuccess;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() != name) continue;
    fmt::print("{}", command->help());
    return kExitSuccess;
  }
  complain("ferry help", unknown_command_text(app, name));
  return kExitUsage;
}

}  // namespace

Command add_help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "Show what a command does and its options");
  command->formatter(help_with_usage("ferry help [COMMAND]"));
  command->add_option("COMMAND", *name, "One of the commands");
  command->footer(kHelpFooter);
  return {command, [&app, name] { return show_help(app, *name); }};
}

}  // namespace ferry::tools
