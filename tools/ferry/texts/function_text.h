// SPDX-License-Identifier: Apache-2.0
// What the public headers say about a function, in parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {

/// A line of a list: an argument with its direction, or a code with its condition.
struct FunctionItem {
  std::string name;  // "destMax", "ACL_ERROR_INVALID_PARAM", "(a task's code)"
  std::string text;
  std::string direction{};  // of an argument: "in", "out", "in,out"
};

struct FunctionText {
  std::string declaration;  // without the macro of visibility, on one line
  std::string does;
  std::vector<FunctionItem> arguments;  // those that need a word
  std::string blocking;                 // "" when the header says nothing
  std::string returns;                  // up to the list of codes, if there is one
  std::vector<FunctionItem> codes;      // in the order in which they are decided
  std::string notes;                    // what follows the codes
};

/// The part of a header that belongs to one function: its comment and its declaration.
FunctionText parse_function(std::string_view comment, std::string_view declaration);

/// What the headers of this version say; none when they do not declare the function.
std::optional<FunctionText> find_function_text(std::string_view name);

/// All functions that the headers declare.
std::vector<std::string> declared_functions();

}  // namespace ferry::tools
