// SPDX-License-Identifier: Apache-2.0
// One line on standard error when the host touches device memory, before the program's own handler
// or the default ends it.
#pragma once

#include <cstdint>

namespace ferry::cpu {

// Addresses of this window are device memory. The first call installs the handler; one that the
// program installed before is kept and called afterwards.
void watch_device_window(uintptr_t start, uint64_t size);

}  // namespace ferry::cpu
