// SPDX-License-Identifier: Apache-2.0
// Which functions of AscendCL work.
#pragma once

namespace ferry::tools {

// ferry info --functions: a table of chapters.
void show_functions();

// ferry info --json: everything that ferry info shows, and every function. An exit code.
int show_json();

}  // namespace ferry::tools
