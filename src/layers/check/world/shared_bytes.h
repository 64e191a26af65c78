// SPDX-License-Identifier: Apache-2.0
// Bytes that two ranges of one call have in common. Whether that is allowed is decided elsewhere.
#pragma once

#include "layers/check/calls/argument_ranges.h"
#include "layers/check/world/memory_book.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ferry::layers::check {

// A range in terms of its actual memory: the device's view of registered memory becomes host
// memory.
struct Piece {
  Range range;
  AccessKind kind = AccessKind::kRead;
  size_t item = 0;    // of a batch; otherwise 0
  size_t source = 0;  // index of the range it was made from
};

std::vector<Piece> pieces_of(const std::vector<ArgumentRange>& ranges, MemoryBook& memory);

struct SharedBytes {
  Piece first;
  Piece second;
  Range where;
};

// Two items of a batch that write the same bytes. An item has one piece of each kind.
std::optional<SharedBytes> find_common_writes(std::vector<Piece> pieces);
// An item (`first`) that reads what another one (`second`) writes.
std::optional<SharedBytes> find_read_of_written(std::vector<Piece> pieces);

// Bytes of rows, all of the same width, that a 2D copy both reads and writes.
std::optional<Range> find_common_rows(const ArgumentRange& dst, const ArgumentRange& src);

}  // namespace ferry::layers::check
