// SPDX-License-Identifier: Apache-2.0
// Registrations and recently freed ranges; the map of live ranges is in address_map.cpp.
#include "core/allocation_registry.h"

#include <cinttypes>
#include <cstdio>

namespace ferry {
namespace {

constexpr size_t kFreedKept = 1024;

bool holds(const ferryx_memory& memory, const void* address) {
  const auto* start = static_cast<const char*>(memory.address);
  const auto* wanted = static_cast<const char*>(address);
  return wanted >= start && static_cast<uint64_t>(wanted - start) < memory.size;
}

std::string kind_in_words(const ferryx_memory& memory) {
  switch (memory.kind) {
    case FERRYX_MEMORY_DEVICE:
      return "memory of device " + std::to_string(memory.device);
    case FERRYX_MEMORY_PINNED:
      return "pinned host memory";
    case FERRYX_MEMORY_REGISTERED:
      return "registered host memory";
    case FERRYX_MEMORY_MAPPED:
      return "the address of registered host memory on device " + std::to_string(memory.device);
    default:
      return "host memory";
  }
}

std::string range_in_words(const ferryx_memory& memory) {
  char range[64];
  std::snprintf(range, sizeof range, " (%" PRIu64 " bytes at %p)", memory.size, memory.address);
  return range;
}

}  // namespace

bool AllocationRegistry::remove(const void* address, ferryx_memory_kind kind,
                                ferryx_memory& removed) {
  const std::lock_guard lock(mutex_);
  if (!live_.find(address, removed) || removed.address != address || removed.kind != kind) {
    return false;
  }
  remember_freed(removed);
  return live_.remove(address);
}

void AllocationRegistry::remember_freed(const ferryx_memory& memory) {
  if (freed_.size() < kFreedKept) {
    freed_.push_back(memory);
    return;
  }
  freed_[next_freed_] = memory;
  next_freed_ = (next_freed_ + 1) % kFreedKept;
}

bool AllocationRegistry::is_any_registered_locked(const char* start, uint64_t size) const {
  const auto next = registrations_.lower_bound(start);
  if (next != registrations_.end() && static_cast<uint64_t>(next->first - start) < size)
    return true;
  if (next == registrations_.begin()) return false;
  const auto& [before, earlier] = *std::prev(next);
  return static_cast<uint64_t>(start - before) < earlier.size;
}

bool AllocationRegistry::is_any_registered(const void* address, uint64_t size) const {
  const std::lock_guard lock(mutex_);
  return is_any_registered_locked(static_cast<const char*>(address), size);
}

bool AllocationRegistry::add_registration(void* address, const Registration& registration) {
  const auto* start = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  if (is_any_registered_locked(start, registration.size)) return false;
  registrations_.emplace(start, registration);
  return true;
}

std::optional<Registration> AllocationRegistry::remove_registration(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = registrations_.find(static_cast<const char*>(address));
  if (found == registrations_.end()) return {};
  const Registration registration = found->second;
  registrations_.erase(found);
  return registration;
}

std::optional<std::pair<void*, Registration>> AllocationRegistry::find_registration(
    const void* address) const {
  const auto* wanted = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  auto after = registrations_.upper_bound(wanted);
  if (after == registrations_.begin()) return {};
  const auto& [start, registration] = *std::prev(after);
  if (static_cast<uint64_t>(wanted - start) >= registration.size) return {};
  return std::pair(const_cast<char*>(start), registration);
}

std::string AllocationRegistry::describe(const void* address) const {
  ferryx_memory memory{};
  if (live_.find(address, memory)) {
    const char* where = memory.address == address ? "" : "inside ";
    return where + kind_in_words(memory) + range_in_words(memory);
  }
  const std::lock_guard lock(mutex_);
  for (size_t i = freed_.size(); i-- > 0;) {
    const ferryx_memory& freed = freed_[(next_freed_ + i) % freed_.size()];
    if (holds(freed, address)) {
      const bool was_lent =
          freed.kind == FERRYX_MEMORY_REGISTERED || freed.kind == FERRYX_MEMORY_MAPPED;
      return kind_in_words(freed) + range_in_words(freed) +
             (was_lent ? " that was unregistered already" : " that was freed already");
    }
  }
  return "not memory of this runtime";
}

}  // namespace ferry
