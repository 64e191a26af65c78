// SPDX-License-Identifier: Apache-2.0
// What can be completed, taken from the definitions of the commands, and the scripts for shells.
#pragma once

#include <string>
#include <vector>

namespace ferry::tools {

struct CompletedOption {
  std::vector<std::string> names;  // "-h", "--help"
  std::string text;
  std::string value{};               // what it takes, "FILE"; "" for a flag
  std::vector<std::string> words{};  // known values
  bool takes_file = false;
};

struct CompletedCommand {
  std::string name;
  std::string text;
  std::vector<CompletedOption> options;
  std::vector<std::string> words;  // arguments that are known words
  bool takes_file = false;
  bool takes_program = false;  // a command line of its own follows
};

std::string bash_completions(const std::vector<CompletedCommand>& commands);
std::string zsh_completions(const std::vector<CompletedCommand>& commands);
std::string fish_completions(const std::vector<CompletedCommand>& commands);

}  // namespace ferry::tools
