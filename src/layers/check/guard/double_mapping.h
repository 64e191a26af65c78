// SPDX-License-Identifier: Apache-2.0
// Memory that is mapped at two addresses: one for the program, one (the storage) for the backend.
// This file only maps; guarded_pages.h decides which page is accessible.
#pragma once

#include <cstdint>

namespace ferry::layers::check {

// All functions may be called from any thread, as long as concurrent calls concern disjoint memory.
// Addresses and sizes are multiples of the page size.

// Call once, before the others. False when the system does not allow it.
bool open_double_mappings();

// Replaces fresh, zeroed private memory at `address` by zeroed shared memory, and maps that a
// second time. Returns the second address, or 0 on failure: then `address` holds ordinary memory.
uintptr_t map_twice(uintptr_t address, uint64_t size);
// Unmaps the second mapping and leaves fresh, writable private memory at `address`.
void map_once(uintptr_t address, uint64_t size, uintptr_t second);
// Maps part of it again at `address`, the program's view.
void map_again(uintptr_t address, uint64_t size);
// In the child of a fork: the parent no longer sees what the child writes.
void map_for_child(uintptr_t address, uint64_t size);

uint64_t memory_page_size();

}  // namespace ferry::layers::check
