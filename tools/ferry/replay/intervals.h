// SPDX-License-Identifier: Apache-2.0
// Time that a set of intervals covers. Nothing else of the trace's times is needed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ferry::tools::replay {

class Intervals {
 public:
  void add(int64_t begin, int64_t end);
  /// From the first begin to the last end.
  int64_t span() const;
  /// The length of the union.
  int64_t covered() const;

 private:
  std::vector<std::pair<int64_t, int64_t>> intervals_;
};

}  // namespace ferry::tools::replay
