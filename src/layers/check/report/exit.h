// SPDX-License-Identifier: Apache-2.0
// The end of the process: the last findings, the summary, and the exit code.
#pragma once

namespace ferry::layers::check {

// What a program leaves with when an error was found and it would have left with 0.
constexpr int kExitFindings = 86;

// From now on, when the process ends by exit() or by returning from main: `finish` is called, the
// reports are closed, and 0 becomes kExitFindings where an error was found. A child that was forked
// without exec ends as it would without us. To be called once, by the thread that switches the
// layer on.
void at_end(void (*finish)());

}  // namespace ferry::layers::check
