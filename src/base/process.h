// SPDX-License-Identifier: Apache-2.0
// The end of the process: functions of the program must not start any more once its own objects are
// being destroyed.
#pragma once

namespace ferry {

// Makes is_exiting() true when exit() begins. To be called once.
void watch_for_exit();

bool is_exiting();

}  // namespace ferry
