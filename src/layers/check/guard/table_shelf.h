// SPDX-License-Identifier: Apache-2.0
// Taking rights away from a page costs the system some 60 ns, and a large copy has thousands of
// pages. The page tables of such memory are put aside instead, whole: then there is no page left at
// its address to take rights away from, and whoever may still touch it gets the same bytes anew,
// from the file that backs them. Later the tables are brought back, and nothing has to be found
// again.
#pragma once

#include "layers/check/order/history.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry::layers::check {

// For one piece of memory that a file backs and that is mapped at whole pages. Not safe to share
// between threads. Nothing here changes what the memory holds or may fail: where the system cannot
// move tables, or part of one would have to be moved, all stays as it is.
class TableShelf {
 public:
  explicit TableShelf(const Range& memory);
  ~TableShelf();
  TableShelf(const TableShelf&) = delete;
  TableShelf& operator=(const TableShelf&) = delete;

  // Puts the tables aside that lie wholly inside `range`, which has the same rights all over. The
  // rights stay.
  void put_aside(const Range& range);
  // Brings the tables back that lie wholly inside `range`, with the rights they had.
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

  Range memory_;         // that whole tables cover; may be empty
  uintptr_t shelf_ = 0;  // where the table of memory_.begin goes; 0 before the first is put aside
  bool is_broken_ = false;  // a table could not be moved: no more are put aside
  std::unique_ptr<bool[]> is_aside_;
};

}  // namespace ferry::layers::check
