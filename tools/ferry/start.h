// SPDX-License-Identifier: Apache-2.0
// Replacing this process by a program.
#pragma once

#include <string>
#include <vector>

namespace ferry::tools {

/// Replaces this process by the program, looked up as a shell does. Returns errno, only on failure.
int become(const std::vector<std::string>& command);

/// Prints, in the name of `ferry run`, why a program could not be started. Returns the exit code
/// that a shell has for it.
int report_failed_start(const std::string& program, int error);

}  // namespace ferry::tools
