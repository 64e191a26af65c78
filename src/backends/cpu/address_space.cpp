// SPDX-License-Identifier: Apache-2.0
// Best fit over free ranges.
#include "backends/cpu/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <iterator>

namespace ferry::cpu {

AddressSpace::AddressSpace(uintptr_t start, uint64_t size) : start_(start), size_(size) {
  if (size == 0) return;
  ranges_.emplace(start, Range{.size = size, .entry = {}});
  free_by_size_.emplace(size, start);
}

uintptr_t AddressSpace::take(uint64_t size, uint64_t alignment) {
  for (auto fit = free_by_size_.lower_bound({size, 0}); fit != free_by_size_.end(); ++fit) {
    const auto [range_size, range] = *fit;
    const uintptr_t aligned = (range + alignment - 1) & ~(alignment - 1);
    const uint64_t before = aligned - range;
    if (before > range_size || range_size - before < size) continue;
    const uint64_t after = range_size - before - size;
    Ranges parts;
    BySize entries;
    if (before > 0) {
      parts.emplace(aligned, Range{.size = size, .entry = {}});
      entries.emplace(size, aligned);
    }
    if (after > 0) {
      parts.emplace(aligned + size, Range{.size = after, .entry = {}});
      entries.emplace(after, aligned + size);
    }
    // Nothing allocates from here on.
    BySize::node_type entry = free_by_size_.extract(fit);
    if (before > 0) {
      ranges_.find(range)->second.size = before;
      entry.value() = {before, range};
      free_by_size_.insert(std::move(entry));
      entry = entries.extract({size, aligned});
    }
    ranges_.merge(parts);
    free_by_size_.merge(entries);
    Range& taken = ranges_.find(aligned)->second;
    taken.size = size;
    taken.entry = std::move(entry);
    return aligned;
  }
  return 0;
}

// The next range becomes a part of this one.
void AddressSpace::join_with_next(Ranges::iterator range) {
  const auto next = std::next(range);
  range->second.size += next->second.size;
  ranges_.erase(next);
}

void AddressSpace::give_back(uintptr_t address) {
  auto range = ranges_.find(address);
  BySize::node_type entry = std::move(range->second.entry);
  if (const auto next = std::next(range); next != ranges_.end() && next->second.is_free()) {
    free_by_size_.erase({next->second.size, next->first});
    join_with_next(range);
  }
  if (range != ranges_.begin() && std::prev(range)->second.is_free()) {
    --range;
    free_by_size_.erase({range->second.size, range->first});
    join_with_next(range);
  }
  entry.value() = {range->second.size, range->first};
  free_by_size_.insert(std::move(entry));
}

uint64_t address_limit() {
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? limit.rlim_cur : UINT64_MAX;
}

Reservation::Reservation(uint64_t wanted, uint64_t least) {
  for (uint64_t size = wanted; size >= least && size > 0; size /= 2) {
    void* range = mmap(nullptr, size + kHugePage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    const auto first = reinterpret_cast<uintptr_t>(range);
    start_ = (first + kHugePage - 1) & ~(kHugePage - 1);
    size_ = size;
    // What lies around it would be lost if the addresses were returned.
    if (start_ > first) munmap(range, start_ - first);
    const uintptr_t end = start_ + size_;
    if (const uint64_t rest = first + size + kHugePage - end; rest > 0) {
      munmap(reinterpret_cast<void*>(end), rest);
    }
    return;
  }
}

Reservation::~Reservation() {
  if (!is_kept_ && size_ > 0) munmap(reinterpret_cast<void*>(start_), size_);
}

}  // namespace ferry::cpu
