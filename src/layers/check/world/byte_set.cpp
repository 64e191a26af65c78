// SPDX-License-Identifier: Apache-2.0
// Adding absorbs the ranges it meets; removing cuts them.
#include "layers/check/world/byte_set.h"

#include <algorithm>
#include <iterator>

namespace ferry::layers::check {

void ByteSet::add(const Range& range) {
  if (range.begin >= range.end) return;
  Range whole = range;
  auto next = ranges_.upper_bound(range.begin);
  if (next != ranges_.begin() && std::prev(next)->second >= range.begin) {
    --next;
    if (next->second >= range.end) return;
    whole.begin = next->first;
  }
  while (next != ranges_.end() && next->first <= whole.end) {
    whole.end = std::max(whole.end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, whole.begin, whole.end);
}

void ByteSet::remove(const Range& range) {
  if (range.begin >= range.end) return;
  auto next = ranges_.lower_bound(range.begin);
  if (next != ranges_.begin() && std::prev(next)->second > range.begin) {
    uintptr_t& end = std::prev(next)->second;
    if (end > range.end) ranges_.emplace_hint(next, range.end, end);
    end = range.begin;
  }
  while (next != ranges_.end() && next->first < range.end) {
    const uintptr_t end = next->second;
    next = ranges_.erase(next);
    if (end > range.end) ranges_.emplace_hint(next, range.end, end);
  }
}

std::optional<Range> ByteSet::first_missing(const Range& range) const {
  if (range.begin >= range.end) return std::nullopt;
  Range missing = range;
  auto next = ranges_.upper_bound(range.begin);
  if (next != ranges_.begin()) {
    missing.begin = std::max(missing.begin, std::prev(next)->second);
  }
  if (missing.begin >= range.end) return std::nullopt;
  if (next != ranges_.end()) missing.end = std::min(missing.end, next->first);
  return missing;
}

}  // namespace ferry::layers::check
