// SPDX-License-Identifier: Apache-2.0
// Finds the live allocations of many addresses, most of which lie in the same two: one that is
// read, one that is written.
#pragma once

#include "layers/check/world/memory_book.h"

namespace ferry::layers::check {

// For one thread, while it holds World's lock.
class AllocationFinder {
 public:
  explicit AllocationFinder(MemoryBook& book) : book_(book) {}

  const Allocation* find(uintptr_t address, AccessKind kind) {
    const Allocation*& last = kind == AccessKind::kRead ? last_read_ : last_written_;
    const bool is_same =
        last != nullptr && last->range().begin <= address && address < last->range().end;
    if (!is_same) last = book_.find(address);
    return last;
  }

 private:
  MemoryBook& book_;
  const Allocation* last_read_ = nullptr;
  const Allocation* last_written_ = nullptr;
};

}  // namespace ferry::layers::check
