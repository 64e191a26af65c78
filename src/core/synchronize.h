// SPDX-License-Identifier: Apache-2.0
// Waiting for all work of a device.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/wait_limit.h"

namespace ferry {

// Waits for every stream of every context on the device. Returns the failure of the last stream
// that had one, and clears none; 507046 on a timeout.
Status synchronize_device(Device& device, const WaitLimit& limit);

}  // namespace ferry
