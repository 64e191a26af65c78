// SPDX-License-Identifier: Apache-2.0
// For backends: resolves the ranges of a task when it runs, through the runtime services, and
// describes a range that cannot be resolved.
#pragma once

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferry {

// The current storage of `size` bytes at `address`; nullptr when they are not inside one live
// range.
void* live_storage(const ferryx_runtime& runtime, const void* address, uint64_t size);

// The offset from a program's address to its storage.
inline ptrdiff_t distance_to_storage(const ferryx_memory& memory) {
  return static_cast<ptrdiff_t>(reinterpret_cast<uint64_t>(memory.storage) -
                                reinterpret_cast<uint64_t>(memory.address));
}

// Why a range cannot be resolved. `name` is the name of the argument.
std::string not_live(const ferryx_runtime& runtime, const std::string& name, const void* address,
                     uint64_t size);

// The name of one side of an item, with its index when there are several items.
std::string item_name(const char* side, size_t index, size_t count);

// Resolves the storage addresses of work. Returns "" or which range is not live; then the work must
// not execute. `keeps_source`: the sources of the copies are not the program's memory.
std::string resolve(const ferryx_runtime& runtime, ferryx_copy* items, size_t count,
                    bool keeps_source);
std::string resolve(const ferryx_runtime& runtime, ferryx_rows& rows);
std::string resolve(const ferryx_runtime& runtime, ferryx_fill& fill);

// Bytes from the first byte of the first row to the end of the last row; UINT64_MAX on overflow.
uint64_t span_of(const ferryx_rows& rows, uint64_t pitch);

}  // namespace ferry
