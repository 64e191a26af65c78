// SPDX-License-Identifier: Apache-2.0
// Similar means few edits for the length of the word, or that the word is the start of a single
// known one.
#include "suggest.h"

#include "errors/edit_distance.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace ferry::tools {
namespace {

constexpr size_t kMostTypos = 2;
constexpr size_t kLongestWord = 100;  // the table of edits grows with the product of both lengths

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// The known word that begins with `word`, if there is exactly one.
std::string completed(const std::string& word, const std::vector<std::string>& known) {
  constexpr size_t kLeast = 3;
  std::string found;
  if (word.size() < kLeast) return found;
  for (const std::string& name : known) {
    if (!lower(name).starts_with(word)) continue;
    if (!found.empty() && found != name) return {};
    found = name;
  }
  return found;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string closest_word(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string wanted = lower(word);
  std::string closest = completed(wanted, known);
  if (!closest.empty()) return closest;
  size_t least = std::min(kMostTypos, wanted.size() / 2) + 1;
  for (const std::string& name : known) {
    const std::string candidate = lower(name);
    // The first letter of a short word is rarely the wrong one: gpu does not mean cpu.
    constexpr size_t kShort = 3;
    if (wanted.size() <= kShort && candidate.front() != wanted.front()) continue;
    const size_t edits = edit_distance(wanted, candidate);
    if (edits >= least) continue;
    least = edits;
    closest = name;
  }
  return closest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string closest = closest_word(word, known);
  return closest.empty() ? std::string() : fmt::format("; did you mean {}?", closest);
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr size_t kLeast = 3;  // "or", "to" are no values
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  std::vector<std::string> words;
  for (size_t start = 0; start < text.size();) {
    size_t end = start;
    while (end < text.size() && belongs(text[end]))
      ++end;
    if (end - start >= kLeast) words.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::string unknown_option_text(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string similar = suggestion(name, option_names(command));
  if (!similar.empty()) return fmt::format("{}: no such option{}", name, similar);
  return fmt::format("{}: no such option; see ferry {} --help", name, command.get_name());
}

std::string unknown_command_text(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  const std::string similar = suggestion(word, names);
  return fmt::format("{}: no such command{}", word,
                     similar.empty() ? "; see ferry --help" : similar);
}

}  // namespace ferry::tools
