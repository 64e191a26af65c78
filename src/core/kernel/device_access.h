// SPDX-License-Identifier: Apache-2.0
// Which code may touch the storage of device memory: functions that act as kernels.
#pragma once

namespace ferry {

// Whether the calling thread runs such a function.
inline thread_local bool may_access_device_memory = false;

}  // namespace ferry
