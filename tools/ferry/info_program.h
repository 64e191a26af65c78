// SPDX-License-Identifier: Apache-2.0
// ferry info PROGRAM.
#pragma once

#include <string>

namespace ferry::tools {

/// Prints which AscendCL libraries a program loads by itself and under `ferry run`. Returns the
/// exit code.
int show_program(const std::string& name);

}  // namespace ferry::tools
