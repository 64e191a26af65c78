// SPDX-License-Identifier: Apache-2.0
// Scans the arrays of a batch, thousands of items at a time, with the widest registers the
// processor has. The answer is yes or no; which item is wrong, and why, is found elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

// Where items of one side may start: at `begin` and up to `last` bytes after it. An allocation is
// smaller than half the address space: a larger `last` allows nothing.
struct Starts {
  uint64_t begin = 0;
  uint64_t last = 0;
};

struct ItemArrays {
  void* const* dsts = nullptr;
  void* const* srcs = nullptr;
  const size_t* sizes = nullptr;
  size_t count = 0;
};

// Whether all items have this size and start inside these bounds.
bool are_alike(const ItemArrays& items, size_t size, Starts dst, Starts src);

// Whether no size exceeds its capacity. Also false for numbers beyond half the address space.
bool are_within(const size_t* sizes, const size_t* capacities, size_t count);

}  // namespace ferry
