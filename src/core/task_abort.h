// SPDX-License-Identifier: Apache-2.0
// Aborting all tasks of a device (aclrtDeviceTaskAbort).
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/named_callbacks.h"
#include "core/wait_limit.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

NamedCallbacks<aclrtDeviceTaskAbortCallback>& task_abort_callbacks();

// Calls the callbacks, aborts every stream of the device, and calls them again. 507000 when a
// callback refuses, 107019 past the limit; streams that were not reached by then keep their tasks.
Status abort_tasks(Device& device, uint32_t milliseconds);

}  // namespace ferry
