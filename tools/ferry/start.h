// SPDX-License-Identifier: Apache-2.0
// Starting a program in the place of this process.
#pragma once

#include <string>
#include <vector>

namespace ferry::tools {

/// Becomes the program, looked up as a shell does. Returns only when that fails: errno.
int become(const std::vector<std::string>& command);

/// Says in the name of `ferry run` why a program could not be started, and returns the exit code a
/// shell has for it.
int report_failed_start(const std::string& program, int error);

}  // namespace ferry::tools
