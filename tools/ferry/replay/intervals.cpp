// SPDX-License-Identifier: Apache-2.0
// Adds up intervals.
#include "replay/intervals.h"

#include <algorithm>

namespace ferry::tools::replay {

void Intervals::add(int64_t begin, int64_t end) {
  if (end >= begin) intervals_.emplace_back(begin, end);
}

int64_t Intervals::span() const {
  if (intervals_.empty()) return 0;
  int64_t first = intervals_.front().first;
  int64_t last = intervals_.front().second;
  for (const auto& [begin, end] : intervals_) {
    first = std::min(first, begin);
    last = std::max(last, end);
  }
  return last - first;
}

int64_t Intervals::covered() const {
  std::vector<std::pair<int64_t, int64_t>> sorted = intervals_;
  std::sort(sorted.begin(), sorted.end());
  int64_t covered = 0;
  int64_t reached = INT64_MIN;
  for (const auto& [begin, end] : sorted) {
    if (end <= reached) continue;
    covered += end - (begin > reached ? begin : reached);
    reached = end;
  }
  return covered;
}

}  // namespace ferry::tools::replay
