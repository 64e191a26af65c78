// SPDX-License-Identifier: Apache-2.0
// Starts the library's own threads: named, detached, with the program's signals blocked.
#pragma once

#include "base/status.h"

#include <functional>

namespace ferry {

// 207005 when the system cannot create another thread. `name` is cut to 15 characters.
Status start_thread(const char* name, std::function<void()> body);

}  // namespace ferry
