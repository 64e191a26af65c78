// SPDX-License-Identifier: Apache-2.0
// Builds the table of live ranges.
#include "backends/cuda/memory/range_table.h"

#include <algorithm>

namespace ferry::cuda {

std::vector<Range> make_table(const std::vector<ferryx_memory>& memory) {
  std::vector<Range> sorted;
  sorted.reserve(memory.size());
  for (const ferryx_memory& range : memory) {
    const auto start = reinterpret_cast<uint64_t>(range.storage);
    if (range.size > 0) sorted.push_back({start, start + range.size});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Range& a, const Range& b) { return a.start < b.start; });
  std::vector<Range> table;
  table.reserve(sorted.size());
  for (const Range& range : sorted) {
    if (!table.empty() && range.start < table.back().end) {
      table.back().end = std::max(table.back().end, range.end);
    } else {
      table.push_back(range);
    }
  }
  return table;
}

}  // namespace ferry::cuda
