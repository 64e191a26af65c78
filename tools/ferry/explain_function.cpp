// SPDX-License-Identifier: Apache-2.0
// The texts of functions come from the public headers, those of variables from the library.
#include "explain_function.h"

#include "errors/catalog.h"
#include "suggest.h"
#include "text.h"
#include "texts/function_text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace ferry::tools {
namespace {

constexpr size_t kHeadWidth = 13;

void show_part(std::string_view head, std::string_view text) {
  if (text.empty()) return;
  fmt::print("  {}{}{}\n", painted(Paint::kBold, head),
             std::string(kHeadWidth - 2 - head.size(), ' '),
             wrapped(text, kHeadWidth, text_width()));
}

std::optional<ferryFunction> listed_function(std::string_view name) {
  ferryFunction function{};
  for (size_t i = 0; ferryGetFunction(i, &function) == ACL_SUCCESS; ++i) {
    if (function.name == name) return function;
  }
  return {};
}

void show_arguments(const std::vector<FunctionItem>& arguments) {
  std::string_view head = "arguments";
  for (const FunctionItem& argument : arguments) {
    const std::string text =
        fmt::format("{} ({}): {}", argument.name, argument.direction, argument.text);
    fmt::print("  {}{}{}\n", painted(Paint::kBold, head),
               std::string(kHeadWidth - 2 - head.size(), ' '),
               wrapped(text, kHeadWidth + 2, text_width()));
    head = "";
  }
}

std::string number_of(const std::string& code) {
  const std::vector<const ErrorEntry*> entries = find_errors(code);
  return entries.size() == 1 ? fmt::format("{}", entries.front()->code) : std::string();
}

void show_codes(const std::vector<FunctionItem>& codes) {
  constexpr size_t kNumberWidth = 8;
  size_t width = 0;
  for (const FunctionItem& code : codes)
    width = std::max(width, code.name.size());
  const size_t indent = 2 + kNumberWidth + width + 2;
  for (const FunctionItem& code : codes) {
    fmt::print("  {:<{}}{:<{}}{}\n", number_of(code.name), kNumberWidth, code.name, width + 2,
               wrapped(code.text, indent, text_width()));
  }
}

// "what aclrtMemcpy returns." names another function, whose codes are meant.
std::string referred_function(const std::string& returns) {
  constexpr std::string_view kStart = "what ";
  if (!returns.starts_with(kStart)) return {};
  const size_t end = returns.find(' ', kStart.size());
  return returns.substr(kStart.size(), end - kStart.size());
}

void show_returns(const FunctionText& function) {
  constexpr std::string_view kMore = ", or";
  std::string returns = function.returns;
  if (!function.codes.empty() && returns.ends_with(kMore)) returns += " a code:";
  show_part("returns", returns);
  if (!function.codes.empty()) {
    fmt::print("\n  {}\n", painted(Paint::kBold, "Codes, in the order in which they are decided"));
    show_codes(function.codes);
  }
  const std::string other = referred_function(function.returns);
  const std::optional<FunctionText> referred = find_function_text(other);
  if (!referred || referred->codes.empty()) return;
  fmt::print("\n  {}\n", painted(Paint::kBold, fmt::format("Codes of {}, in the order in which "
                                                           "they are decided",
                                                           other)));
  show_codes(referred->codes);
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i)
    names.emplace_back(variable.name);
  return names;
}

}  // namespace

bool show_function(std::string_view name, std::string_view separator) {
  if (name.ends_with("()")) name.remove_suffix(2);
  const std::optional<FunctionText> function = find_function_text(name);
  if (!function) return false;
  const std::optional<ferryFunction> listed = listed_function(name);
  fmt::print("{}{}  {}\n", separator, painted(Paint::kBold, name),
             listed ? fmt::format("a function of AscendCL, chapter \"{}\"", listed->chapter)
                    : "a function of Ferry's own");
  fmt::print("  {}\n\n", wrapped(function->declaration, 6, text_width()));
  show_part("does", function->does);
  show_arguments(function->arguments);
  show_part("blocking", function->blocking);
  if (listed && listed->works == 0) {
    show_part("here", "Ferry does not support it: it returns 207000, or NULL or 0.");
  }
  show_returns(*function);
  if (!function->notes.empty()) fmt::print("\n  {}\n", wrapped(function->notes, 2, text_width()));
  return true;
}

bool show_variable(std::string_view name, std::string_view separator) {
  if (name.starts_with('$')) name.remove_prefix(1);
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i) {
    if (name != variable.name) continue;
    fmt::print("{}{}  an environment variable of the library\n", separator,
               painted(Paint::kBold, name));
    show_part("means", variable.meaning);
    show_part("allowed", variable.values);
    const char* value = std::getenv(variable.name);
    show_part("now", value == nullptr ? "not set" : fmt::format("\"{}\"", value));
    return true;
  }
  return false;
}

std::string similar_function(std::string_view name) {
  return closest_word(name, declared_functions());
}

std::string similar_variable(std::string_view name) {
  return closest_word(name, variable_names());
}

}  // namespace ferry::tools
