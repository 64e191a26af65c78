// SPDX-License-Identifier: Apache-2.0
// Counts and merges pinned ranges.
#include "backends/cuda/memory/host_pins.h"

#include <algorithm>
#include <iterator>

namespace ferry::cuda {

// The first pinned range that ends after `start`.
HostPins::Ranges::iterator HostPins::first_overlapping(uintptr_t start) {
  auto range = pinned_.upper_bound(start);
  if (range != pinned_.begin() && std::prev(range)->second.end > start) --range;
  return range;
}

Trouble HostPins::pin(uintptr_t start, uintptr_t end, uint32_t users) {
  Trouble trouble = actions_.pin(start, end - start);
  if (trouble.ok()) pinned_[start] = {.end = end, .users = users};
  return trouble;
}

Trouble HostPins::add(uintptr_t address, uint64_t size) {
  const uintptr_t start = page_of(address);
  const uintptr_t end = page_of(address + size - 1) + page_size_;
  const auto range = first_overlapping(start);
  if (range == pinned_.end() || range->first >= end) return pin(start, end, 1);
  if (range->first <= start && end <= range->second.end) {
    ++range->second.users;
    return {};
  }
  return pin_merged(start, end);
}

// Replaces all ranges that overlap this one by a single range.
Trouble HostPins::pin_merged(uintptr_t start, uintptr_t end) {
  Ranges replaced;
  uint32_t users = 1;
  uintptr_t merged_start = start;
  uintptr_t merged_end = end;
  for (auto range = first_overlapping(start); range != pinned_.end() && range->first < end;) {
    merged_start = std::min(merged_start, range->first);
    merged_end = std::max(merged_end, range->second.end);
    users += range->second.users;
    actions_.unpin(range->first);
    replaced.insert(*range);
    range = pinned_.erase(range);
  }
  Trouble trouble = pin(merged_start, merged_end, users);
  if (trouble.ok()) return {};
  for (const auto& [old_start, old] : replaced) {
    // Pages pinned a moment ago can be pinned again; if that fails, they count as pageable from now
    // on.
    if (Trouble again = pin(old_start, old.end, old.users); !again.ok())
      trouble.text += "; " + again.text;
  }
  return trouble;
}

void HostPins::remove(uintptr_t address, uint64_t size) {
  const auto range = first_overlapping(page_of(address));
  if (range == pinned_.end() || range->first > address || range->second.end < address + size)
    return;
  if (--range->second.users > 0) return;
  actions_.unpin(range->first);
  pinned_.erase(range);
}

}  // namespace ferry::cuda
