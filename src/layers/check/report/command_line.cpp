// SPDX-License-Identifier: Apache-2.0
// Reads /proc, and quotes as a POSIX shell unquotes.
#include "layers/check/report/command_line.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace ferry::layers::check {
namespace {

bool is_plain(char c) {
  constexpr std::string_view kOthers = "-_./:,=+@%^";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// The report is read line by line, so that control characters must not be in it. Shells that lack
// this form are those that lack line editing.
std::string escaped(std::string_view word) {
  std::string text = "$'";
  for (const char c : word) {
    char code[8];
    std::snprintf(code, sizeof code, "\\%03o", static_cast<unsigned char>(c));
    if (is_control(c)) {
      text += c == '\n' ? "\\n" : code;
    } else {
      if (c == '\'' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + "'";
}

// Whether the variable decides what the program meets. The check and the schedule are options of
// the command; where a log or a report is written changes nothing.
bool matters(std::string_view entry) {
  constexpr std::string_view kLeftOut[] = {
      "FERRY_CHECK=", "FERRY_SCHEDULE=", "FERRY_REPORT=", "FERRY_LOG=", "FERRY_TRACE="};
  if (entry.starts_with("ASCEND_RT_VISIBLE_DEVICES=")) return true;
  return entry.starts_with("FERRY_") &&
         std::none_of(std::begin(kLeftOut), std::end(kLeftOut),
                      [&](std::string_view name) { return entry.starts_with(name); });
}

}  // namespace

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> words;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\0', start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::string quoted_for_shell(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  if (std::any_of(word.begin(), word.end(), is_control)) return escaped(word);
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string quoted_for_shell(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text.append(text.empty() ? "" : " ").append(quoted_for_shell(word));
  return text;
}

std::string command_to_repeat(const std::vector<std::string>& command, const std::string& schedule,
                              const char* const* environment) {
  std::string text;
  std::string rules;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    constexpr std::string_view kCheck = "FERRY_CHECK=";
    if (entry.starts_with(kCheck)) rules = entry.substr(kCheck.size());
    if (!matters(entry)) continue;
    const size_t name = entry.find('=') + 1;
    text.append(entry.substr(0, name)).append(quoted_for_shell(entry.substr(name))).append(" ");
  }
  text += "ferry run --check";
  if (rules.size() > 1) text += " --rules " + quoted_for_shell(rules);
  text += " --schedule " + schedule + " -- ";
  return text + (command.empty() ? "program" : quoted_for_shell(command));
}

}  // namespace ferry::layers::check
