// SPDX-License-Identifier: Apache-2.0
// Takes the comments of the headers apart. Their form is that of docs/adding_a_function.md: what
// the function does, [in] and [out], "Blocking:", "Returns ...", indented codes, and notes.
#include "texts/function_text.h"

#include "texts/texts.h"

#include <algorithm>
#include <cctype>

namespace ferry::tools {
namespace {

constexpr std::string_view kMark = "ACL_FUNC_VISIBILITY";

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The name that is declared: the word before the first parenthesis.
std::string_view declared_name(std::string_view declaration) {
  size_t end = declaration.find('(');
  if (end == std::string_view::npos) return {};
  size_t start = end;
  while (start > 0 && is_name_char(declaration[start - 1]))
    --start;
  return declaration.substr(start, end - start);
}

std::string_view trimmed(std::string_view text) {
  const size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(' ') - start + 1);
}

// One line, with single spaces.
std::string joined(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (is_space && (result.empty() || result.back() == ' ')) continue;
    result += is_space ? ' ' : c;
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

void append(std::string& text, std::string_view line) {
  if (!text.empty()) text += ' ';
  text += trimmed(line);
}

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "[in] destMax  capacity in bytes"
bool start_argument(std::string_view line, FunctionText& function) {
  const size_t close = line.find(']');
  if (!line.starts_with('[') || close == std::string_view::npos) return false;
  const std::string_view direction = line.substr(1, close - 1);
  if (!direction.starts_with("in") && !direction.starts_with("out")) return false;
  const std::string_view rest = trimmed(line.substr(close + 1));
  const size_t gap = std::min(rest.find("  "), rest.size());
  function.arguments.push_back({std::string(rest.substr(0, gap)),
                                std::string(trimmed(rest.substr(gap))), std::string(direction)});
  return true;
}

// "  ACL_ERROR_INVALID_PARAM  `dst` is NULL": indented, and with a gap behind the name.
bool start_code(std::string_view line, FunctionText& function) {
  const std::string_view rest = trimmed(line);
  const bool is_group = rest.starts_with('(');
  const size_t gap = rest.find("  ");
  if (!line.starts_with("  ") || gap == std::string_view::npos) return false;
  const std::string_view name = rest.substr(0, gap);
  const bool is_code =
      name.starts_with("ACL_") &&
      std::all_of(name.begin(), name.end(), [](char c) { return is_name_char(c); });
  if (!is_code && !(is_group && name.ends_with(')'))) return false;
  function.codes.push_back({std::string(name), std::string(trimmed(rest.substr(gap)))});
  return true;
}

// Calls `visit(comment, declaration)` for each function of a header, until it returns false.
template <class Visit>
void for_each_function(std::string_view header, Visit visit) {
  std::string comment;
  while (!header.empty()) {
    const std::string_view rest = header;
    const std::string_view line = next_line(header);
    if (line.starts_with("///")) {
      comment.append(line.substr(3)).append("\n");
      continue;
    }
    if (line.starts_with(kMark)) {
      const size_t end = std::min(rest.find(';'), rest.size());
      header = rest.substr(std::min(end + 1, rest.size()));
      if (!visit(comment, rest.substr(kMark.size(), end - kMark.size()))) return;
    }
    comment.clear();
  }
}

}  // namespace

FunctionText parse_function(std::string_view comment, std::string_view declaration) {
  FunctionText function;
  function.declaration = joined(declaration);
  std::string* current = &function.does;
  while (!comment.empty()) {
    std::string_view line = next_line(comment);
    if (line.starts_with(' ')) line.remove_prefix(1);  // that behind the slashes
    if (start_argument(line, function)) {
      current = &function.arguments.back().text;
    } else if (line.starts_with("Blocking:")) {
      current = &function.blocking;
      append(*current, line.substr(line.find(':') + 1));
    } else if (line.starts_with("Returns") && function.returns.empty()) {
      current = &function.returns;
      append(*current, line.substr(std::string_view("Returns").size()));
    } else if (!function.returns.empty() && start_code(line, function)) {
      current = &function.codes.back().text;
    } else if (!function.codes.empty() && !line.starts_with("  ")) {
      current = &function.notes;
      append(*current, line);
    } else {
      append(*current, line);
    }
  }
  return function;
}

std::optional<FunctionText> find_function_text(std::string_view name) {
  std::optional<FunctionText> found;
  for (const Text& header : header_texts()) {
    for_each_function(header.text, [&](std::string_view comment, std::string_view declaration) {
      if (declared_name(declaration) != name) return true;
      found = parse_function(comment, declaration);
      return false;
    });
    if (found) return found;
  }
  return found;
}

std::vector<std::string> declared_functions() {
  std::vector<std::string> names;
  for (const Text& header : header_texts()) {
    for_each_function(header.text, [&](std::string_view /*comment*/, std::string_view declaration) {
      names.emplace_back(declared_name(declaration));
      return true;
    });
  }
  return names;
}

}  // namespace ferry::tools
