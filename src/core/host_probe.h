// SPDX-License-Identifier: Apache-2.0
// Asking the kernel whether host memory may be read or written, before a copy touches it: an
// unmapped address becomes an error code instead of a signal.
#pragma once

#include <cstdint>

namespace ferry {

enum class Access { kRead, kWrite };

// Whether every byte of [address, address + size) can be accessed. What the program unmaps after
// the answer is its own affair.
bool is_host_memory_accessible(const void* address, uint64_t size, Access access);

}  // namespace ferry
