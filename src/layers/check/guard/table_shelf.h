// SPDX-License-Identifier: Apache-2.0
// Revoking rights on a page costs the kernel some 60 ns, and a large copy has thousands of pages.
// Instead, whole page tables of such memory are moved aside. Then no pages are mapped at its
// address whose rights would have to change, and code that may still access it gets the same bytes
// from the backing file. Later the tables are moved back, and no page has to be faulted in again.
#pragma once

#include "layers/check/order/history.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry::layers::check {

// For one file-backed piece of memory, mapped in whole pages. Not safe to share between threads.
// Never changes the content of the memory and never fails: where the kernel cannot move tables, or
// only part of a table would move, everything stays as it is.
class TableShelf {
 public:
  explicit TableShelf(const Range& memory);
  ~TableShelf();
  TableShelf(const TableShelf&) = delete;
  TableShelf& operator=(const TableShelf&) = delete;

  // Moves the tables aside that lie wholly inside `range`, which must have uniform rights. The
  // rights stay.
  void put_aside(const Range& range);
  // Moves the tables back that lie wholly inside `range`, with the rights they had.
  void bring_back(const Range& range);

 private:
  // Tables first to end - 1, counted from the first one that lies wholly inside the memory.
  struct Tables {
    size_t first = 0;
    size_t end = 0;
  };

  Tables tables_inside(const Range& range) const;
  template <class Move>
  void for_each_run(const Range& range, bool are_aside, Move move);
  bool reserve();

  Range memory_;            // covered by whole tables; may be empty
  uintptr_t shelf_ = 0;     // where the table of memory_.begin goes; 0 before the first move
  bool is_broken_ = false;  // a table could not be moved: no more are put aside
  std::unique_ptr<bool[]> is_aside_;
};

}  // namespace ferry::layers::check
