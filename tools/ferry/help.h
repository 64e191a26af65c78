// SPDX-License-Identifier: Apache-2.0
// The layout of --help.
#pragma once

#include <memory>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class FormatterBase;
}  // namespace CLI

namespace ferry::tools {

/// The group of options and commands that --help does not show.
constexpr const char* kHiddenGroup = "";

/// A formatter for a command that is used as `usage` says, such as "ferry run [options]".
std::shared_ptr<CLI::FormatterBase> help_with_usage(const std::string& usage);

/// How the command is used: what help_with_usage was given, or else its name.
std::string usage_of(const CLI::App& command);

}  // namespace ferry::tools
