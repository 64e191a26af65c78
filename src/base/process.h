// SPDX-License-Identifier: Apache-2.0
// The end of the process: functions of the program must not start once its objects are being
// destroyed.
#pragma once

namespace ferry {

// Makes is_exiting() true when exit() begins, and calls `at_exit` then. Call until it succeeds:
// false when the system has no memory for it.
bool watch_for_exit(void (*at_exit)());

bool is_exiting();

}  // namespace ferry
