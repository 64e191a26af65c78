// SPDX-License-Identifier: Apache-2.0
// Formats a command's help: usage, arguments, options by group, and a footer with examples.
#include "help.h"

#include "text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tools {
namespace {

struct Row {
  std::string left;
  std::string right;
};

std::string section(const std::string& head, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  constexpr size_t kGap = 2;
  size_t widest = 0;
  for (const Row& row : rows)
    widest = std::max(widest, row.left.size());
  std::string text = fmt::format("\n{}\n", painted(Paint::kBold, head));
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}{}\n", row.left, widest + kGap,
                        wrapped(row.right, 2 + widest + kGap, text_width()));
  }
  return text;
}

Row row_of(const CLI::Option& option) {
  const bool is_argument = option.get_positional();
  std::string left = is_argument ? option.get_name(true) : option.get_name(false, true);
  std::replace(left.begin(), left.end(), ',', ' ');
  if (!is_argument && !option.get_type_name().empty()) left += " " + option.get_type_name();
  return {left, option.get_description()};
}

// Wraps the lines that a terminal is too narrow for. What follows stands below the second column of
// the line, if it has one.
std::string fitted(std::string_view footer) {
  std::string text;
  for (size_t start = 0; start <= footer.size();) {
    const size_t end = std::min(footer.find('\n', start), footer.size());
    const std::string_view line = footer.substr(start, end - start);
    start = end + 1;
    if (!text.empty()) text += '\n';
    if (line.size() <= text_width()) {
      text += line;
      continue;
    }
    const size_t gap = line.rfind("  ");
    const size_t column = gap == std::string_view::npos ? 0 : gap + 2;
    text.append(line.substr(0, column)).append(wrapped(line.substr(column), column, text_width()));
  }
  return text;
}

class Help : public CLI::FormatterBase {
 public:
  explicit Help(std::string usage) : usage_(std::move(usage)) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    std::string text =
        fmt::format("{}\n\n{} {}\n", wrapped(app->get_description(), 0, text_width()),
                    painted(Paint::kBold, "Usage:"), usage_);
    std::vector<Row> commands;
    for (const CLI::App* command : app->get_subcommands({})) {
      if (command->get_group() == kHiddenGroup) continue;
      commands.push_back({command->get_name(), command->get_description()});
    }
    text += section("Commands", commands);

    std::vector<Row> arguments;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) arguments.push_back(row_of(*option));
    }
    text += section("Arguments", arguments);

    for (const std::string& group : app->get_groups()) {
      if (group == kHiddenGroup) continue;
      std::vector<Row> rows;
      for (const CLI::Option* option : app->get_options()) {
        if (!option->get_positional() && option->get_group() == group) {
          rows.push_back(row_of(*option));
        }
      }
      text += section(group, rows);
    }
    return text + "\n" + fitted(app->get_footer()) + "\n";
  }

  const std::string& usage() const { return usage_; }

 private:
  std::string usage_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_with_usage(const std::string& usage) {
  return std::make_shared<Help>(usage);
}

std::string usage_of(const CLI::App& command) {
  const auto* help = dynamic_cast<const Help*>(command.get_formatter().get());
  return help != nullptr ? help->usage() : command.get_name();
}

}  // namespace ferry::tools
