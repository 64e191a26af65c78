// SPDX-License-Identifier: Apache-2.0
// mremap moves a whole page table by changing the one entry that points at it, if both addresses
// have the same offset within the memory that one table covers.
#include "layers/check/guard/table_shelf.h"

#include "layers/check/guard/double_mapping.h"

#include <sys/mman.h>

#include <algorithm>

namespace ferry::layers::check {
namespace {

// The memory that one page table covers: a page full of eight-byte entries, one for each page.
uint64_t table_span() {
  const uint64_t page_size = memory_page_size();
  return page_size / sizeof(uint64_t) * page_size;
}

uintptr_t round_up(uintptr_t address) {
  return (address + table_span() - 1) / table_span() * table_span();
}

Range whole_tables(const Range& memory) {
  const uintptr_t begin = round_up(memory.begin);
  const uintptr_t end = memory.end / table_span() * table_span();
  return begin < end ? Range{begin, end} : Range{};
}

// Leaves the old addresses mapped, with the same rights and without a table.
bool move_tables(uintptr_t from, uintptr_t to, uint64_t size) {
  return mremap(reinterpret_cast<void*>(from), size, size,
                MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
                reinterpret_cast<void*>(to)) != MAP_FAILED;
}

}  // namespace

TableShelf::TableShelf(const Range& memory)
    : memory_(whole_tables(memory)),
      is_aside_(std::make_unique<bool[]>(memory_.size() / table_span())) {}

TableShelf::~TableShelf() {
  // After a failure, part of this range may belong to other code.
  if (shelf_ != 0 && !is_broken_) munmap(reinterpret_cast<void*>(shelf_), memory_.size());
}

TableShelf::Tables TableShelf::tables_inside(const Range& range) const {
  const Range inside = whole_tables({std::max(range.begin, memory_.begin),  //
                                     std::min(range.end, memory_.end)});
  if (inside.size() == 0) return {};
  return {.first = (inside.begin - memory_.begin) / table_span(),
          .end = (inside.end - memory_.begin) / table_span()};
}

// Calls `move` with the offset and the size of each run of tables whose state is `are_aside`.
template <class Move>
void TableShelf::for_each_run(const Range& range, bool are_aside, Move move) {
  const Tables tables = tables_inside(range);
  for (size_t i = tables.first; i < tables.end;) {
    const size_t first = i;
    while (i < tables.end && is_aside_[i] == are_aside)
      ++i;
    if (i == first) {
      ++i;
    } else if (move(first * table_span(), (i - first) * table_span())) {
      std::fill(is_aside_.get() + first, is_aside_.get() + i, !are_aside);
    }
  }
}

bool TableShelf::reserve() {
  if (shelf_ != 0) return true;
  // Maps more than needed and unmaps the rest, so that the shelf starts at a table boundary.
  const uint64_t size = memory_.size() + table_span();
  void* mapped = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  const auto begin = reinterpret_cast<uintptr_t>(mapped);
  shelf_ = round_up(begin);
  const uintptr_t end = shelf_ + memory_.size();
  if (shelf_ > begin) munmap(mapped, shelf_ - begin);
  if (begin + size > end) munmap(reinterpret_cast<void*>(end), begin + size - end);
  return true;
}

void TableShelf::put_aside(const Range& range) {
  for_each_run(range, false, [&](uint64_t offset, uint64_t size) {
    if (is_broken_ || !reserve()) return false;
    is_broken_ = !move_tables(memory_.begin + offset, shelf_ + offset, size);
    return !is_broken_;
  });
}

void TableShelf::bring_back(const Range& range) {
  for_each_run(range, true, [&](uint64_t offset, uint64_t size) {
    const uintptr_t address = memory_.begin + offset;
    if (move_tables(shelf_ + offset, address, size)) return true;
    // The kernel may have unmapped the destination before it failed.
    is_broken_ = true;
    map_again(address, size);
    return true;
  });
}

}  // namespace ferry::layers::check
