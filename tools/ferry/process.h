// SPDX-License-Identifier: Apache-2.0
// Child processes whose output is read.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {

/// Runs `body` in a forked child and returns what it writes to the given descriptor; "" when the
/// fork failed.
std::string output_of_child(const std::function<void(int output)>& body);

/// Runs `body` in a forked child that ends with the code it returns, and as exit() does. Returns
/// its exit status as a shell gives it (128 + n for signal n), or -1 when the fork failed.
int code_of_child(const std::function<int()>& body);

/// Runs a program and returns its exit status as a shell gives it (128 + n for signal n), or -1
/// when it could not be started. `output` gets what it printed, stderr included.
int run_and_read(const std::vector<std::string>& command, std::string& output);

void write_all(int file, std::string_view text);

}  // namespace ferry::tools
