// SPDX-License-Identifier: Apache-2.0
// One line on standard error when the program touches device memory, before its own handler or the
// default action ends it.
#pragma once

#include <cstdint>

namespace ferry::cpu {

// Marks the addresses of this window as device memory.
void watch_device_window(uintptr_t start, uint64_t size);
// The same for device memory that is mapped anywhere.
void watch_mapped_memory();

}  // namespace ferry::cpu
