// SPDX-License-Identifier: Apache-2.0
// Asks the kernel whether host memory may be read or written, before a copy touches it: an unmapped
// address becomes an error code instead of a signal.
#pragma once

#include <cstdint>

namespace ferry {

enum class Access { kRead, kWrite };

// Whether every byte of [address, address + size) can be accessed. The program must not unmap the
// memory after the answer.
bool is_host_memory_accessible(const void* address, uint64_t size, Access access);

// The same for `height` rows of `width` bytes, `pitch` apart; the bytes between them do not matter.
bool are_host_rows_accessible(const void* address, uint64_t pitch, uint64_t width, uint64_t height,
                              Access access);

}  // namespace ferry
