// SPDX-License-Identifier: Apache-2.0
// Live and freed memory by address.
#include "layers/check/world/memory_book.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostFreed = 8192;

// Whether the second allocation is mapped right behind the first, in the same reservation.
bool is_continued(const Allocation& first, const Allocation& second) {
  return first.reservation != nullptr && first.reservation == second.reservation &&
         first.range().end == second.range().begin;
}

// Bytes from `begin` to `end` of memory that holds them.
ferryx_memory part_of(const ferryx_memory& whole, uintptr_t begin, uintptr_t end) {
  const auto offset = begin - reinterpret_cast<uintptr_t>(whole.address);
  ferryx_memory part = whole;
  part.address = static_cast<char*>(whole.address) + offset;
  part.size = end - begin;
  if (whole.storage != nullptr) part.storage = static_cast<char*>(whole.storage) + offset;
  return part;
}

}  // namespace

const char* describe_kind(uint32_t kind) {
  switch (kind) {
    case FERRYX_MEMORY_DEVICE:
      return "device memory";
    case FERRYX_MEMORY_PINNED:
      return "pinned host memory";
    case FERRYX_MEMORY_REGISTERED:
      return "registered host memory";
    case FERRYX_MEMORY_MAPPED:
      return "registered host memory as the device sees it";
    case FERRYX_MEMORY_MANAGED:
      return "managed memory";
    case FERRYX_MEMORY_REMOTE:
      return "memory of another host";
    default:
      return "pageable host memory";
  }
}

std::string describe(const Allocation& allocation) {
  char text[160];
  const ferryx_memory& memory = allocation.memory;
  std::snprintf(text, sizeof text, "%" PRIu64 " bytes of %s at %p", allocation.requested,
                describe_kind(memory.kind), memory.address);
  return text;
}

Allocation& MemoryBook::add(const ferryx_memory& memory, SiteId site) {
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  Allocation& added = live_[begin];
  added = {};
  added.memory = memory;
  added.requested = memory.size;
  added.made_at = site;
  return added;
}

const Allocation* MemoryBook::end(const void* address, SiteId site, int thread) {
  const auto found = live_.find(reinterpret_cast<uintptr_t>(address));
  if (found == live_.end()) return nullptr;
  const Allocation* const freed = keep_freed(std::move(found->second), site, thread);
  live_.erase(found);
  return freed;
}

Allocation& MemoryBook::join(const ferryx_memory& part, const void* reservation, SiteId site) {
  Allocation& added = add(part, site);
  added.is_all_written = true;
  added.reservation = reservation;
  auto run = live_.find(added.range().begin);
  if (const auto next = std::next(run); next != live_.end() && is_continued(added, next->second)) {
    added.memory.size += next->second.memory.size;
    added.is_shared = next->second.is_shared;
    live_.erase(next);
  }
  if (run == live_.begin()) return added;
  Allocation& before = std::prev(run)->second;
  if (!is_continued(before, added)) return added;
  before.memory.size += added.memory.size;
  before.is_shared = before.is_shared || added.is_shared;
  live_.erase(run);
  return before;
}

void MemoryBook::cut(const ferryx_memory& part, SiteId site) {
  Allocation* const run = find(reinterpret_cast<uintptr_t>(part.address));
  if (run == nullptr || run->reservation == nullptr) return;
  const Allocation whole = *run;
  Allocation ended = whole;
  ended.memory = part;
  const Range hole = ended.range();
  keep_freed(std::move(ended), site, gettid());
  live_.erase(whole.range().begin);
  const auto keep = [&](uintptr_t begin, uintptr_t end) {
    if (begin == end) return;
    Allocation& rest = live_[begin];
    rest = whole;
    rest.memory = part_of(whole.memory, begin, end);
  };
  keep(whole.range().begin, hole.begin);
  keep(hole.end, whole.range().end);
}

const Allocation* MemoryBook::keep_freed(Allocation&& ended, SiteId site, int thread) {
  const Range range = ended.range();
  auto older = freed_.upper_bound(range.begin);
  if (older != freed_.begin()) --older;
  while (older != freed_.end() && older->first < range.end)
    older =
        older->second.allocation.range().overlaps(range) ? freed_.erase(older) : std::next(older);
  Freed& freed = freed_[range.begin];
  freed = {std::move(ended), ++last_number_};
  freed.allocation.freed_at = site;
  freed.allocation.freed_by = thread;
  freed.allocation.written = {};
  ages_.emplace_back(range.begin, freed.number);
  if (ages_.size() > kMostFreed) forget_oldest();
  return &freed.allocation;
}

void MemoryBook::forget_oldest() {
  const auto [begin, number] = ages_.front();
  ages_.pop_front();
  const auto found = freed_.find(begin);
  if (found != freed_.end() && found->second.number == number) freed_.erase(found);
}

void MemoryBook::forget_freed(const void* address) {
  freed_.erase(reinterpret_cast<uintptr_t>(address));
}

void MemoryBook::forget_freed_in(const Range& range) {
  freed_.erase(freed_.lower_bound(range.begin), freed_.lower_bound(range.end));
}

void MemoryBook::mark_all_written() {
  for (auto& [address, allocation] : live_) {
    allocation.is_all_written = true;
    allocation.written = {};
  }
}

bool MemoryBook::is_left_by(const Range& range) {
  const Allocation* allocation = find(range.begin);
  return allocation != nullptr && range.end > allocation->range().end;
}

bool MemoryBook::holds(const Range& range) {
  const Allocation* allocation = find(range.begin);
  return allocation != nullptr && range.begin <= range.end && range.end <= allocation->range().end;
}

Allocation* MemoryBook::find(uintptr_t address) {
  auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  Allocation& candidate = std::prev(next)->second;
  return address < candidate.range().end ? &candidate : nullptr;
}

const Allocation* MemoryBook::find_freed(uintptr_t address) const {
  const auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return nullptr;
  const Allocation& candidate = std::prev(next)->second.allocation;
  return address < candidate.range().end ? &candidate : nullptr;
}

}  // namespace ferry::layers::check
