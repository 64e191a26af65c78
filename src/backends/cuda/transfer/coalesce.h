// SPDX-License-Identifier: Apache-2.0
// Turning a batch into the lists that the ways of copying read: neighbours become one item, large
// items are kept apart, and what kernels cannot reach is noticed. No CUDA header is needed here.
#pragma once

#include "backends/cuda/transfer/item_columns.h"
#include "backends/cuda/transfer/plan.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ferry::cuda {

// One allocation, as CUDA knows it.
struct Extent {
  uint64_t start = 0;
  uint64_t end = 0;
  bool is_reachable = false;  // by kernels of the device
};

// Remembers the allocations that a batch touches, so that each is asked for once. Not shared
// between threads.
class KnownExtents {
 public:
  using Find = Extent (*)(void* context, uint64_t address);
  KnownExtents(Find find, void* context) : find_(find), context_(context) {}

  // The allocation that holds `address`; an unknown address has an extent of one byte.
  const Extent& at(uint64_t address);
  bool is_one(uint64_t address, uint64_t size) { return at(address).end - address >= size; }

 private:
  const Find find_;
  void* const context_;
  std::vector<Extent> known_;  // sorted by start
  size_t latest_ = 0;
};

// Inputs of one list; larger batches are cut.
constexpr size_t kMostItems = 8192;
// Cutting items into pieces may double them.
constexpr size_t kListCapacity = 2 * kMostItems;
constexpr size_t kListBytes = kListCapacity * 3 * sizeof(uint64_t);

// Small items fill the columns from the front, large ones from the back.
struct ItemLists {
  ItemColumns columns;
  Summary small;
  Summary large;

  // Columns in `memory` of kListBytes.
  static ItemLists in(void* memory);
  ItemColumns small_items() const { return columns; }
  ItemColumns large_items() const { return columns.from(kListCapacity - large.count); }
};

// Neighbouring items are joined when they continue each other on both sides within one allocation:
// CUDA refuses a copy across two of them. Every address is judged for reach only when asked for;
// otherwise the answer is kAll.
enum class Judge { kNothing, kReach };
Reach gather(std::span<const ferryx_copy> items, Judge judge, KnownExtents& extents,
             ItemLists& lists);
// The same for items that lie inside one allocation on each side: there is nobody to ask.
void gather(const ferryx_columns& columns, ItemLists& lists);

// Cuts the small items into pieces of at most `piece` bytes, in place.
void split_small(ItemLists& lists, uint64_t piece);

}  // namespace ferry::cuda
