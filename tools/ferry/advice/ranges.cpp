// SPDX-License-Identifier: Apache-2.0
// Ranges of works, and intervals of them.
#include "advice/ranges.h"

#include <algorithm>
#include <iterator>

namespace ferry::tools::advice {
namespace {

bool has_host_source(trace::Direction direction) {
  return direction == trace::Direction::kHostToDevice || direction == trace::Direction::kHostToHost;
}

void add_pair(const trace::Work& work, const trace::Item& item, std::vector<Range>& ranges) {
  if (item.size == 0) return;
  ranges.push_back({item.dst, item.dst + item.size, true});
  ranges.push_back({item.src, item.src + item.size, has_host_source(work.direction)});
}

uint64_t span_of_rows(uint64_t pitch, const trace::Work& work) {
  return work.items == 0 ? 0 : (work.items - 1) * pitch + work.width;
}

}  // namespace

std::optional<std::vector<Range>> ranges_of(const trace::Trace& trace, const trace::Work& work) {
  std::vector<Range> ranges;
  const bool is_single = work.items <= 1;
  switch (work.kind) {
    case trace::Kind::kFill:
      if (!is_single || work.dst == 0) return {};
      ranges.push_back({work.dst, work.dst + work.bytes, true});
      return ranges;
    case trace::Kind::kRows:
      if (work.dst == 0 || work.src == 0) return {};
      ranges.push_back({work.dst, work.dst + span_of_rows(work.dst_pitch, work), true});
      ranges.push_back({work.src, work.src + span_of_rows(work.src_pitch, work),
                        has_host_source(work.direction)});
      return ranges;
    case trace::Kind::kCopy:
    case trace::Kind::kBatch: {
      const auto listed = trace.items.find(work.number);
      if (listed != trace.items.end()) {
        for (const trace::Item& item : listed->second)
          add_pair(work, item, ranges);
        return ranges;
      }
      if (!is_single || work.dst == 0 || work.src == 0) return {};
      add_pair(work, {.dst = work.dst, .src = work.src, .size = work.bytes}, ranges);
      return ranges;
    }
    default:
      return {};
  }
}

bool TouchedRanges::has_any(const Map& map, const Range& range) {
  const auto behind = map.lower_bound(range.end);
  return behind != map.begin() && std::prev(behind)->second > range.begin;
}

void TouchedRanges::insert(Map& map, const Range& range) {
  uint64_t begin = range.begin;
  uint64_t end = range.end;
  auto next = map.lower_bound(begin);
  if (next != map.begin() && std::prev(next)->second >= begin) --next;
  while (next != map.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = map.erase(next);
  }
  map.emplace(begin, end);
}

bool TouchedRanges::add(const std::vector<Range>& ranges) {
  for (const Range& range : ranges) {
    if (has_any(exclusive_, range)) return false;
    if (range.is_exclusive && has_any(shared_, range)) return false;
  }
  for (const Range& range : ranges) {
    if (range.begin < range.end) insert(range.is_exclusive ? exclusive_ : shared_, range);
  }
  return true;
}

void TouchedRanges::clear() {
  exclusive_.clear();
  shared_.clear();
}

}  // namespace ferry::tools::advice
