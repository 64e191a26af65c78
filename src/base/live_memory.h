// SPDX-License-Identifier: Apache-2.0
// Where a range of a task lies when it runs, and the words for one that is not there: for backends,
// which ask the runtime.
#pragma once

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferry {

// Where `size` bytes at `address` lie now; nullptr when they are not inside one live range.
void* live_storage(const ferryx_host& host, const void* address, uint64_t size);

// What to add to the address a program holds, for where its bytes lie.
inline ptrdiff_t distance_to_storage(const ferryx_memory& memory) {
  return static_cast<ptrdiff_t>(reinterpret_cast<uint64_t>(memory.storage) -
                                reinterpret_cast<uint64_t>(memory.address));
}

// Why there is no such place. `name` is that of the argument.
std::string not_live(const ferryx_host& host, const std::string& name, const void* address,
                     uint64_t size);

// The name of one side of an item: its number is told when there are several.
std::string item_name(const char* side, size_t index, size_t count);

// From the first byte of the first row to the last one of the last row; UINT64_MAX when it is more
// than all memory.
uint64_t span_of(const ferryx_copy_2d& rows, uint64_t pitch);

}  // namespace ferry
