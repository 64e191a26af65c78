// SPDX-License-Identifier: Apache-2.0
// Which bytes works touch, and whether two of them need an order because of that.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ferry::tools::advice {

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  // Written, or memory of the host, which the program may change as soon as it has waited.
  bool is_exclusive = false;
};

// Nothing when the trace does not say which bytes the work touches: a batch without its items, a
// kernel.
std::optional<std::vector<Range>> ranges_of(const trace::Trace& trace, const trace::Work& work);

// Ranges of works that may execute in any order.
class TouchedRanges {
 public:
  // False, and nothing changes, when a range needs an order with an earlier one.
  bool add(const std::vector<Range>& ranges);
  void clear();

 private:
  using Map = std::map<uint64_t, uint64_t>;  // begin to end; no two overlap
  static bool has_any(const Map& map, const Range& range);
  static void insert(Map& map, const Range& range);

  Map exclusive_;
  Map shared_;
};

}  // namespace ferry::tools::advice
