// SPDX-License-Identifier: Apache-2.0
// ferry completions: looks at the commands and options that there are. The scripts are made in
// completions_shells.cpp.
#include "completions.h"

#include "bench/bench.h"
#include "commands.h"
#include "help.h"
#include "text.h"
#include "texts/function_text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kCompletionsName = "ferry completions";

// The words of a list that says what a variable may be: "eager, lazy, shuffle:<seed>". What is in
// brackets is for the user to write.
std::vector<std::string> values_of(std::string_view variable) {
  std::vector<std::string> words;
  ferryVariable row{};
  for (size_t i = 0; ferryGetVariable(i, &row) == ACL_SUCCESS; ++i) {
    if (variable != row.name) continue;
    const std::string_view values = row.values;
    for (size_t start = 0; start < values.size();) {
      const size_t end = std::min(values.find_first_of(", ", start), values.size());
      const std::string_view word = values.substr(start, end - start);
      const std::string_view fixed = word.substr(0, word.find_first_of("<["));
      if (!fixed.empty()) words.emplace_back(fixed);
      start = end + 1;
    }
  }
  return words;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  ferryRule rule{};
  for (size_t i = 0; ferryGetRule(i, &rule) == ACL_SUCCESS; ++i)
    names.emplace_back(rule.name);
  return names;
}

std::vector<std::string> product_names() {
  std::vector<std::string> names;
  ferryProduct product{};
  for (size_t i = 0; ferryGetProduct(i, &product) == ACL_SUCCESS; ++i)
    names.emplace_back(product.name);
  return names;
}

std::vector<std::string> words_for_option(std::string_view name) {
  if (name == "--schedule") return values_of("FERRY_SCHEDULE");
  if (name == "--soc") return product_names();
  if (name == "--cann") return {"8.5", "9.0", "9.1"};
  if (name == "--devices") return {"cpu", "cuda", "null"};
  if (name == "--log") return {"error", "warn", "info", "debug"};
  if (name == "--rules" || name == "--mute") return rule_names();
  return {};
}

std::vector<std::string> explained_words() {
  std::vector<std::string> words = rule_names();
  const std::vector<std::string> functions = declared_functions();
  words.insert(words.end(), functions.begin(), functions.end());
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i) {
    const std::string_view name = variable.name;
    if (name.find('<') == std::string_view::npos) words.emplace_back(name);
  }
  return words;
}

bool is_file(std::string_view what) {
  return what == "FILE" || what == "FOLDER" || what == "PROGRAM" || what == "TRACE" ||
         what == "PATH";
}

CompletedOption completed(const CLI::Option& option) {
  CompletedOption made;
  for (const std::string& name : option.get_snames())
    made.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    made.names.push_back("--" + name);
  made.text = option.get_description();
  if (option.get_items_expected_max() != 0) {
    made.value = option.get_type_name().empty() ? "VALUE" : option.get_type_name();
  }
  made.words = words_for_option(made.names.back());
  made.takes_file = is_file(made.value);
  return made;
}

CompletedCommand completed(const CLI::App& command, const std::vector<std::string>& commands) {
  CompletedCommand made;
  made.name = command.get_name();
  made.text = command.get_description();
  made.takes_program = command.get_prefix_command();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == kHiddenGroup) continue;
    if (!option->get_positional()) {
      made.options.push_back(completed(*option));
      continue;
    }
    if (option->get_name(true) == "COMMAND") made.words = commands;
    made.takes_file = made.takes_file || is_file(option->get_name(true));
  }
  if (made.name == "bench") {
    made.words = {std::begin(bench::kQuestionNames), std::end(bench::kQuestionNames)};
  } else if (made.name == "explain") {
    made.words = explained_words();
  } else if (made.name == "report" || made.name == "replay") {
    made.takes_file = true;
  }
  return made;
}

std::string script_for(const CLI::App& app, std::string_view shell) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group() != kHiddenGroup) names.push_back(command->get_name());
  }
  std::vector<CompletedCommand> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group() != kHiddenGroup) commands.push_back(completed(*command, names));
  }
  if (shell == "bash") return bash_completions(commands);
  return shell == "zsh" ? zsh_completions(commands) : fish_completions(commands);
}

int write_script(const std::string& script, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}", script);
    return kExitSuccess;
  }
  std::ofstream file(path);
  file << script;
  file.close();
  if (file) return kExitSuccess;
  complain(kCompletionsName, fmt::format("{} cannot be written", path));
  return kExitFailure;
}

}  // namespace

Command add_completions(CLI::App& app) {
  struct Options {
    std::string shell;
    std::string path;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("completions", "Print a script by which a shell completes commands");
  command->group(kHiddenGroup);
  command->formatter(help_with_usage("ferry completions bash|zsh|fish [options]"));
  command->add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}).description(""));
  command->add_option("--output", options->path, "Write it to this file")->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  source <(ferry completions bash)\n"
      "  ferry completions fish --output ~/.config/fish/completions/ferry.fish");
  return {command,
          [&app, options] { return write_script(script_for(app, options->shell), options->path); }};
}

}  // namespace ferry::tools
