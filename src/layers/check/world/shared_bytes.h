// SPDX-License-Identifier: Apache-2.0
// Bytes that two ranges of one call have in common. Nothing here knows what is allowed.
#pragma once

#include "layers/check/calls/argument_ranges.h"
#include "layers/check/world/memory_book.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ferry::layers::check {

// A range as the memory it really is: the device's view of registered memory is the host's memory.
struct Piece {
  Range range;
  AccessKind kind = AccessKind::kRead;
  size_t item = 0;    // of a batch; 0 for others
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

// Rows of the same width in which a 2D copy reads what it writes.
std::optional<Range> find_common_rows(const ArgumentRange& dst, const ArgumentRange& src);

}  // namespace ferry::layers::check
