// SPDX-License-Identifier: Apache-2.0
// The program ferry: parses the command line and runs a subcommand.
#include "commands.h"
#include "help.h"
#include "suggest.h"
#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

using ferry::tools::Command;
using ferry::tools::complain;
using ferry::tools::kExitFailure;
using ferry::tools::kExitUsage;

constexpr const char* kMainFooter =
    "Start here:\n"
    "  ferry demo                  see it work\n"
    "  ferry run -- ./my_program   run a program that was built for CANN, unchanged\n"
    "  ferry explain 107002        what does this error code mean?\n"
    "\n"
    "ferry help COMMAND has examples for each command.";

std::string version_text() {
  return fmt::format("ferry {} (library {}, AscendCL interface {}.{}.{})", FERRY_VERSION,
                     ferryVersion(), ACL_MAJOR_VERSION, ACL_MINOR_VERSION, ACL_PATCH_VERSION);
}

// Arguments after the first "--" of `ferry run` belong to the program and are not parsed here.
std::optional<std::vector<std::string>> cut_program(std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() != "run") return {};
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> program(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return program;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error,
                 const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (commands.empty()) {
    if (!arguments.empty() && !arguments.front().starts_with('-')) {
      complain("ferry", ferry::tools::unknown_command_text(app, arguments.front()));
    } else {
      complain("ferry", fmt::format("{}; see ferry --help", error.what()));
    }
    return kExitUsage;
  }
  const CLI::App& command = *commands.front();
  const std::string name = "ferry " + command.get_name();
  for (const std::string& word : command.remaining()) {
    if (!word.starts_with('-')) continue;
    complain(name, ferry::tools::unknown_option_text(command, word));
    return kExitUsage;
  }
  complain(name, fmt::format("{}; see {} --help", error.what(), name));
  return kExitUsage;
}

int run(std::vector<std::string> arguments) {
  CLI::App app("Ferry runs AscendCL programs on machines without an Ascend NPU.", "ferry");
  app.formatter(ferry::tools::help_with_usage("ferry COMMAND [options]"));
  app.set_version_flag("--version", version_text, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer(kMainFooter);
  app.require_subcommand(0, 1);

  const std::optional<std::vector<std::string>> program = cut_program(arguments);
  const std::vector<Command> commands{
      ferry::tools::add_run(app, program), ferry::tools::add_info(app),
      ferry::tools::add_demo(app),         ferry::tools::add_bench(app),
      ferry::tools::add_report(app),       ferry::tools::add_replay(app),
      ferry::tools::add_soak(app),         ferry::tools::add_explain(app),
      ferry::tools::add_env(app),          ferry::tools::add_help(app),
      ferry::tools::add_man(app),          ferry::tools::add_completions(app)};
  try {
    app.parse(
        std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // last argument first
  } catch (const CLI::Success& wish) {                                    // --help, --version
    return app.exit(wish);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, arguments);
  }
  for (const Command& command : commands) {
    if (command.options->parsed()) return command.run();
  }
  fmt::print("{}", app.help());
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::exception& error) {
    complain("ferry", error.what());
    return kExitFailure;
  }
}
