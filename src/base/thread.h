// SPDX-License-Identifier: Apache-2.0
// Starting the library's own threads: named, detached, and closed to the program's signals.
#pragma once

#include "base/status.h"

#include <functional>

namespace ferry {

// 207005 when the system has no room for another thread. `name` is cut to 15 characters.
Status start_thread(const char* name, std::function<void()> body);

}  // namespace ferry
