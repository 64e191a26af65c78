// SPDX-License-Identifier: Apache-2.0
// Sorted by start address, a piece can share bytes only with an earlier one that extends far
// enough.
#include "layers/check/world/shared_bytes.h"

#include "layers/check/world/allocation_finder.h"

#include <algorithm>

namespace ferry::layers::check {
namespace {

Range common(const Range& one, const Range& other) {
  return {std::max(one.begin, other.begin), std::min(one.end, other.end)};
}

SharedBytes shared(const Piece& first, const Piece& second) {
  return {.first = first, .second = second, .where = common(first.range, second.range)};
}

bool starts_before(const Piece& one, const Piece& other) {
  return one.range.begin < other.range.begin;
}

void sort_by_start(std::vector<Piece>& pieces) {
  // Most batches list their blocks in order.
  if (std::is_sorted(pieces.begin(), pieces.end(), starts_before)) return;
  std::sort(pieces.begin(), pieces.end(), starts_before);
}

Range box_around(const std::vector<Piece>& pieces, AccessKind kind) {
  Range box{UINTPTR_MAX, 0};
  for (const Piece& piece : pieces) {
    if (piece.kind != kind) continue;
    box.begin = std::min(box.begin, piece.range.begin);
    box.end = std::max(box.end, piece.range.end);
  }
  return box;
}

// The two pieces seen so far that extend farthest: at least one of them belongs to another item
// than the asking piece.
class Farthest {
 public:
  void add(const Piece& piece) {
    if (first_ == nullptr || piece.range.end > first_->range.end) {
      second_ = first_;
      first_ = &piece;
    } else if (second_ == nullptr || piece.range.end > second_->range.end) {
      second_ = &piece;
    }
  }
  const Piece* find_beyond(const Piece& asking) const {
    for (const Piece* candidate : {first_, second_}) {
      if (candidate != nullptr && candidate->item != asking.item &&
          candidate->range.end > asking.range.begin) {
        return candidate;
      }
    }
    return nullptr;
  }

 private:
  const Piece* first_ = nullptr;
  const Piece* second_ = nullptr;
};

Range row_at(const ArgumentRange& rows, uint64_t index) {
  const uintptr_t begin = rows.range.begin + index * rows.pitch;
  return {begin, begin + rows.width};
}

// The bytes of `wanted` that one of the rows holds.
std::optional<Range> common_with_row(const Range& wanted, const ArgumentRange& rows) {
  const uintptr_t start = rows.range.begin;
  const uint64_t last = wanted.end <= start ? 0 : (wanted.end - 1 - start) / rows.pitch;
  // Rows are no wider than their pitch, so only the two rows around the end of `wanted` can match.
  for (const uint64_t index : {last, last - std::min<uint64_t>(last, 1)}) {
    if (index >= rows.height) continue;
    const Range row = row_at(rows, index);
    if (row.overlaps(wanted)) return common(row, wanted);
  }
  return {};
}

}  // namespace

std::vector<Piece> pieces_of(const std::vector<ArgumentRange>& ranges, MemoryBook& memory) {
  AllocationFinder finder(memory);
  std::vector<Piece> pieces;
  pieces.reserve(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const ArgumentRange& named = ranges[i];
    Piece& piece = pieces.emplace_back();
    piece = {named.range, named.kind, named.index.value_or(0), i};
    const Allocation* allocation = finder.find(named.range.begin, named.kind);
    if (allocation == nullptr || allocation->memory.kind != FERRYX_MEMORY_MAPPED) continue;
    const uint64_t offset = named.range.begin - allocation->range().begin;
    piece.range.begin = reinterpret_cast<uintptr_t>(allocation->memory.storage) + offset;
    piece.range.end = piece.range.begin + named.range.size();
  }
  return pieces;
}

std::optional<SharedBytes> find_common_writes(std::vector<Piece> pieces) {
  std::erase_if(pieces, [](const Piece& piece) { return piece.kind != AccessKind::kWrite; });
  sort_by_start(pieces);
  const Piece* farthest = nullptr;
  for (const Piece& piece : pieces) {
    if (farthest != nullptr && piece.range.begin < farthest->range.end) {
      return shared(*farthest, piece);
    }
    if (farthest == nullptr || piece.range.end > farthest->range.end) farthest = &piece;
  }
  return {};
}

std::optional<SharedBytes> find_read_of_written(std::vector<Piece> pieces) {
  const Range reads = box_around(pieces, AccessKind::kRead);
  if (!reads.overlaps(box_around(pieces, AccessKind::kWrite))) return {};
  sort_by_start(pieces);
  Farthest read;
  Farthest written;
  for (const Piece& piece : pieces) {
    if (piece.kind == AccessKind::kRead) {
      if (const Piece* writer = written.find_beyond(piece)) return shared(piece, *writer);
      read.add(piece);
    } else {
      if (const Piece* reader = read.find_beyond(piece)) return shared(*reader, piece);
      written.add(piece);
    }
  }
  return {};
}

std::optional<Range> find_common_rows(const ArgumentRange& dst, const ArgumentRange& src) {
  if (!dst.range.overlaps(src.range) || dst.height > kMostFollowedRows) return {};
  for (uint64_t i = 0; i < dst.height; ++i) {
    if (const std::optional<Range> where = common_with_row(row_at(dst, i), src)) return where;
  }
  return {};
}

}  // namespace ferry::layers::check
