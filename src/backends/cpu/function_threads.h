// SPDX-License-Identifier: Apache-2.0
// Threads for functions that play kernels. Such a function may block, so it gets a thread of its
// own for as long as it runs: no copy thread and no other stream ever waits for it.
#pragma once

#include "backends/cpu/queue.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::cpu {

// Runs `function` on a thread that is free, or a new one, and finishes the link when it returns.
// False when the system has no room for a thread.
bool run_device_function(ferryx_device_function function, void* argument,
                         std::shared_ptr<Link> link);

}  // namespace ferry::cpu
