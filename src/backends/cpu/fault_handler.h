// SPDX-License-Identifier: Apache-2.0
// One line on standard error when the program touches device memory, before its own handler or the
// default action ends it.
#pragma once

#include <cstdint>

namespace ferry::cpu {

// Marks the addresses of this window as device memory. The first call installs the handler; one
// that the program installed before is kept and called afterwards.
void watch_device_window(uintptr_t start, uint64_t size);

}  // namespace ferry::cpu
