// SPDX-License-Identifier: Apache-2.0
// Threads for device functions and kernels. Such a function may block, so it has its own thread
// while it runs: no copy thread and no other stream ever waits for it.
#pragma once

#include "backends/cpu/queue.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::cpu {

// The function of a task: a device function, or a kernel, which returns a code.
struct DeviceCall {
  ferryx_device_function function = nullptr;  // nullptr: `kernel` is called
  int (*kernel)(void* argument, int run) = nullptr;
  void* argument = nullptr;

  int operator()(int run) const;
};

DeviceCall call_of(const Task& task);

// Makes the call on an idle or a new thread, and finishes the link when it returns. A kernel that
// ends its thread instead has failed. False when there is no memory, or the system cannot create a
// thread.
bool run_device_function(const DeviceCall& function, std::shared_ptr<Link> link);

}  // namespace ferry::cpu
