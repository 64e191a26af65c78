// SPDX-License-Identifier: Apache-2.0
// Live and freed memory by address.
#include "layers/check/world/memory_book.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostFreed = 8192;

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
    default:
      return "pageable host memory";
  }
}

std::string describe(const Allocation& allocation) {
  char text[160];
  const ferryx_memory& memory = allocation.memory;
  std::snprintf(text, sizeof text, "%" PRIu64 " bytes of %s at %p", memory.size,
                describe_kind(memory.kind), memory.address);
  return text;
}

Allocation& MemoryBook::add(const ferryx_memory& memory, SiteId site) {
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  Allocation& added = live_[begin];
  added = {};
  added.memory = memory;
  added.made_at = site;
  return added;
}

const Allocation* MemoryBook::end(const void* address, SiteId site) {
  const auto found = live_.find(reinterpret_cast<uintptr_t>(address));
  if (found == live_.end()) return nullptr;
  const Range range = found->second.range();
  auto older = freed_.upper_bound(range.begin);
  if (older != freed_.begin()) --older;
  while (older != freed_.end() && older->first < range.end)
    older =
        older->second.allocation.range().overlaps(range) ? freed_.erase(older) : std::next(older);
  Freed& freed = freed_[range.begin];
  freed = {std::move(found->second), ++last_number_};
  live_.erase(found);
  freed.allocation.freed_at = site;
  freed.allocation.freed_by = gettid();
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
