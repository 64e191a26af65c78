// SPDX-License-Identifier: Apache-2.0
// Reserved addresses, and physical memory mapped there. As for all device memory, the program's
// address of mapped device memory gives the host no access, and the storage lies at a constant
// distance; all such storage is in one span. Host memory is mapped at the program's address itself.
#pragma once

#include "backends/cpu/physical_memory.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::cpu {

// Whether the storage can be unmapped: whoever uses it must have begun to (memory_use.h).
bool is_mapped_storage(const void* storage);
// Whether there is any.
bool has_mapped_storage();

int reserve_addresses(uint64_t size, uint64_t alignment, void* wanted, ferryx_memory& range);
void release_addresses(const ferryx_memory& range);

int map_physical(ferryx_physical& physical, const ferryx_memory& range, uint64_t offset,
                 uint64_t size, ferryx_memory& mapped);
int unmap_physical(const ferryx_memory& mapped);
int open_to_host(const ferryx_memory& mapped);

}  // namespace ferry::cpu
