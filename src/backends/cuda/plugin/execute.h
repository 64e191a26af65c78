// SPDX-License-Identifier: Apache-2.0
// Work that is executed during the call.
#pragma once

#include "backends/cuda/plugin/device.h"

#include "ferry/backend.h"

namespace ferry::cuda {

// Executes copies, rows or a fill. 0 or an error that was recorded; 207000 for other kinds of work.
int execute(ferryx_device& device, const ferryx_work& work);

}  // namespace ferry::cuda
