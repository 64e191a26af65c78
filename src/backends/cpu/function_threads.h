// SPDX-License-Identifier: Apache-2.0
// Threads for device functions, which emulate kernels. Such a function may block, so it has its own
// thread while it runs: no copy thread and no other stream ever waits for it.
#pragma once

#include "backends/cpu/queue.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::cpu {

// Runs `function` on an idle or a new thread, and finishes the link when it returns. False when
// there is no memory, or the system cannot create a thread.
bool run_device_function(ferryx_device_function function, void* argument,
                         std::shared_ptr<Link> link);

}  // namespace ferry::cpu
