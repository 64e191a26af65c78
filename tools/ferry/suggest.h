// SPDX-License-Identifier: Apache-2.0
// "did you mean": the known word that a mistyped one is most similar to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}  // namespace CLI

namespace ferry::tools {

/// The most similar of these words; "" when none is similar enough to be meant.
std::string closest_word(std::string_view word, const std::vector<std::string>& known);

/// "; did you mean lazy?", or "" when no word is similar enough.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// The words of a text that says what is allowed: "eager, lazy or shuffle:<seed>".
std::vector<std::string> words_of(std::string_view text);

/// "--shedule: no such option; did you mean --schedule?". A value behind = is left out.
std::string unknown_option_text(const CLI::App& command, const std::string& word);

/// "rnu: no such command; did you mean run?"
std::string unknown_command_text(const CLI::App& app, const std::string& word);

}  // namespace ferry::tools
