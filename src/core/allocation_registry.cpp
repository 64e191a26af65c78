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
    case FERRYX_MEMORY_MANAGED:
      return "managed memory";
    case FERRYX_MEMORY_REMOTE:
      return "memory of another host";
    default:
      return "host memory";
  }
}

std::string range_in_words(const ferryx_memory& memory, uint64_t size) {
  char range[64];
  std::snprintf(range, sizeof range, " (%" PRIu64 " bytes at %p)", size, memory.address);
  return range;
}

}  // namespace

AllocationRegistry::AllocationRegistry() {
  freed_.reserve(kFreedKept);  // so that freeing never allocates
}

bool AllocationRegistry::insert(const ferryx_memory& memory, uint64_t requested) {
  if (requested == memory.size) return live_.insert(memory);
  std::map<const void*, uint64_t> entry{{memory.address, requested}};
  const std::lock_guard lock(mutex_);
  if (!live_.insert(memory)) return false;
  requested_.merge(entry);  // needs no memory
  return true;
}

uint64_t AllocationRegistry::requested_size_locked(const ferryx_memory& memory) const {
  const auto found = requested_.find(memory.address);
  return found != requested_.end() ? found->second : memory.size;
}

uint64_t AllocationRegistry::requested_size(const ferryx_memory& memory) const {
  const std::lock_guard lock(mutex_);
  return requested_size_locked(memory);
}

bool AllocationRegistry::remove(const void* address, ferryx_memory_kind kind,
                                ferryx_memory& removed) {
  const std::lock_guard lock(mutex_);
  if (!live_.find(address, removed) || removed.address != address || removed.kind != kind) {
    return false;
  }
  ferryx_memory freed = removed;
  freed.size = requested_size_locked(removed);
  remember_freed(freed);
  requested_.erase(address);
  return live_.remove(address);
}

bool AllocationRegistry::cut(const ferryx_memory& part) {
  if (!live_.cut(part.address, part.size)) return false;
  const std::lock_guard lock(mutex_);
  remember_freed(part);
  return true;
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
    return where + kind_in_words(memory) + range_in_words(memory, requested_size(memory));
  }
  const std::lock_guard lock(mutex_);
  for (size_t i = freed_.size(); i-- > 0;) {
    const ferryx_memory& freed = freed_[(next_freed_ + i) % freed_.size()];
    if (holds(freed, address)) {
      const bool was_lent =
          freed.kind == FERRYX_MEMORY_REGISTERED || freed.kind == FERRYX_MEMORY_MAPPED;
      return kind_in_words(freed) + range_in_words(freed, freed.size) +
             (was_lent ? " that was unregistered already" : " that was freed already");
    }
  }
  return "not memory of this runtime";
}

}  // namespace ferry
