// SPDX-License-Identifier: Apache-2.0
// Device memory that grows and shrinks at one address: reserved addresses, to which pieces of
// physical memory are mapped.
#ifndef FERRY_PYTHON_GROWING_H
#define FERRY_PYTHON_GROWING_H

#include "memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry::python {

// Reserves addresses for `capacity` bytes of a device. Nothing is mapped yet.
std::shared_ptr<Memory> reserve_growing(size_t capacity, int32_t device);

// Bytes of one piece; 0 for memory that does not grow.
size_t piece_nbytes_of(const Region& region);

// Makes the first `nbytes` of a whole growing memory usable, and returns pieces behind them to the
// device: at once, or when the copies that use the memory are complete. Raises without an effect.
// The caller excludes other calls for the same memory.
void resize(Region& region, size_t nbytes);

}  // namespace ferry::python

#endif
