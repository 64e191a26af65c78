// SPDX-License-Identifier: Apache-2.0
// Asks the kernel whether host memory may be read or written, before a copy touches it: an unmapped
// address becomes an error code before anything is copied. Faults that the answer cannot exclude
// are caught while the bytes are moved (base/fault_trap.h).
#pragma once

#include <cstdint>

namespace ferry {

enum class Access { kRead, kWrite };

// Whether every byte of [address, address + size) can be accessed. For large ranges, "yes" may be
// wrong where a fault of the calling thread would be caught: guard pages (MADV_GUARD_INSTALL) and
// mappings behind the end of their file are not seen.
bool is_host_memory_accessible(const void* address, uint64_t size, Access access);

// The same for ranges of any size, by asking for every page: never wrong, and slow.
bool is_every_page_accessible(const void* address, uint64_t size, Access access);

// The same for memory that is not touched yet: a large range is never faulted in.
bool is_host_memory_mapped(const void* address, uint64_t size, Access access);

// Like is_host_memory_accessible for `height` rows of `width` bytes, `pitch` apart; the bytes
// between them do not matter.
bool are_host_rows_accessible(const void* address, uint64_t pitch, uint64_t width, uint64_t height,
                              Access access);

}  // namespace ferry
