// SPDX-License-Identifier: Apache-2.0
// Memory that is mapped at two places: where the program sees it, and where the engine works. Only
// mappings; who may touch which page is the business of guarded_pages.h.
#pragma once

#include <cstdint>

namespace ferry::layers::check {

// All functions may be called from any thread, for memory that does not overlap at the same time.
// Addresses and sizes are multiples of the page size.

// To be called once, before the others. False when the system does not allow it.
bool open_double_mappings();

// Replaces fresh private memory at `address`, which holds zeros, by shared memory that holds zeros,
// and maps that a second time. Returns the second address, or 0: then there is ordinary memory at
// `address`.
uintptr_t map_twice(uintptr_t address, uint64_t size);
// Gives the second mapping back and leaves fresh private memory, writable, at `address`.
void map_once(uintptr_t address, uint64_t size, uintptr_t second);
// Maps part of it again at `address`, where the program sees it.
void map_again(uintptr_t address, uint64_t size);
// In the child of a fork: what the child writes from now on is not seen by the parent.
void map_for_child(uintptr_t address, uint64_t size);

uint64_t memory_page_size();

}  // namespace ferry::layers::check
