// SPDX-License-Identifier: Apache-2.0
// The command that started this process, and the one that repeats it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::check {

// The arguments of this process, the program's name first; empty when they cannot be read.
std::vector<std::string> command_line();

// A word as a shell must be given it: unchanged if that is safe, else in quotes.
std::string quoted_for_shell(std::string_view word);
std::string quoted_for_shell(const std::vector<std::string>& words);

// The command that runs this program again, under the check and this schedule, with the variables
// of the environment that decide what the program meets: "FERRY_SOC=Ascend310P3 ferry run ...".
// `environment` is a list as in environ(7).
std::string command_to_repeat(const std::vector<std::string>& command, const std::string& schedule,
                              const char* const* environment);

}  // namespace ferry::layers::check
