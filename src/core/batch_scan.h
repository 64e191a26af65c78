// SPDX-License-Identifier: Apache-2.0
// Looking through the arrays of a batch, thousands of items at a time and with the widest registers
// the processor has. The answer is yes or no; what is wrong with which item is found elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

// Where items of one side may start: at `begin` and up to `last` bytes behind it. An allocation is
// smaller than half of all addresses: a `last` beyond that allows nothing.
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

// Whether all items have this size and start where they may.
bool are_alike(const ItemArrays& items, size_t size, Starts dst, Starts src);

// Whether no size is above its capacity. Says no to numbers beyond half of all addresses, too.
bool are_within(const size_t* sizes, const size_t* capacities, size_t count);

}  // namespace ferry
