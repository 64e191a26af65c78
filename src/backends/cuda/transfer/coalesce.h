// SPDX-License-Identifier: Apache-2.0
// Turns a batch into the lists that the ways of copying read: neighbours are joined, large items
// are kept apart, and memory that kernels cannot access is detected. Needs no CUDA header.
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
  bool is_reachable = false;  // kernels of the device may access it
};

// Remembers the allocations that a batch uses, so that each is looked up once. Not shared between
// threads.
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

// The most items of a batch in one list; larger batches are submitted in parts.
constexpr size_t kMostItems = 8192;
// Splitting items may double their number.
constexpr size_t kListCapacity = 2 * kMostItems;
constexpr size_t kListBytes = kListCapacity * 3 * sizeof(uint64_t);

// Small items fill the list from the front, large ones from the back.
struct ItemLists {
  ItemColumns columns;
  Summary small;
  Summary large;

  // Empty lists in `memory` of kListBytes.
  static ItemLists in(void* memory);
  ItemColumns small_items() const { return columns; }
  ItemColumns large_items() const { return columns.from(kListCapacity - large.count); }
};

// Joins items that continue each other on both sides within one allocation: CUDA refuses a copy
// across two allocations. With Judge::kReach every address is checked for access by kernels;
// without it the result is kAll.
enum class Judge { kNothing, kReach };
Reach gather(std::span<const ferryx_copy> items, Judge judge, KnownExtents& extents,
             ItemLists& lists);
// The same for items inside one allocation on each side: nothing has to be looked up.
void gather(const ferryx_columns& columns, ItemLists& lists);

// Splits the small items into items of at most `piece` bytes, in place.
void split_small(ItemLists& lists, uint64_t piece);

}  // namespace ferry::cuda
