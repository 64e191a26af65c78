// SPDX-License-Identifier: Apache-2.0
// What the subcommands share: how they are added to the command line, and the exit codes. Each
// subcommand is in the file of its name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}  // namespace CLI

namespace ferry::tools {

// `ferry run` may also end with the program's own exit code.
constexpr int kExitSuccess = 0;
constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr int kExitNotExecutable = 126;
constexpr int kExitNotFound = 127;

/// A subcommand: its part of the command line, and what it does once that is parsed.
struct Command {
  CLI::App* options;
  std::function<int()> run;
};

/// `after_dashes` holds the arguments after the first "--", if there is one. The parser does not
/// see them.
Command add_run(CLI::App& app, const std::optional<std::vector<std::string>>& after_dashes);
Command add_info(CLI::App& app);
Command add_demo(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_replay(CLI::App& app);
Command add_soak(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_report(CLI::App& app);
Command add_env(CLI::App& app);
Command add_help(CLI::App& app);
Command add_man(CLI::App& app);          // hidden: packages call it
Command add_completions(CLI::App& app);  // hidden, too

}  // namespace ferry::tools
