// SPDX-License-Identifier: Apache-2.0
// Work done during a call has resolved addresses. Mapped memory may have been unmapped, or mapped
// anew, since they were resolved: once the thread has begun to use memory, it looks again.
#pragma once

#include "backends/cpu/task.h"

#include "ferry/backend.h"

namespace ferry::cpu {

// nullptr, or an address that is mapped no more. Only mapped memory is looked up.
const void* refresh(ferryx_copy& copy);
const void* refresh(Task& task);

}  // namespace ferry::cpu
