// SPDX-License-Identifier: Apache-2.0
// The end of the process: the last findings, the summary, and the exit code.
#pragma once

namespace ferry::layers::check {

// The exit code of a program in which an error was found and that would have exited with 0.
constexpr int kExitFindings = 86;

// From now on, when the process ends by exit() or by returning from main: `finish` is called, the
// reports are closed, and 0 becomes kExitFindings if an error was found. A child forked without
// exec exits unaffected. Call once, on the thread that switches the layer on.
void at_end(void (*finish)());

}  // namespace ferry::layers::check
