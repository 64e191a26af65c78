// SPDX-License-Identifier: Apache-2.0
// All memory known to the runtime: live memory (fast to find by address), registered host memory,
// and recently freed memory, for error texts that say what a pointer was.
#pragma once

#include "core/address_map.h"

#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

class Device;

// Host memory registered by the program.
struct Registration {
  uint64_t size = 0;
  Device* device = nullptr;
  bool is_mapped = false;        // `mapped` is the device's view of it
  bool is_known_memory = false;  // it lies in memory of aclrtMallocHost, which is in the map anyway
  ferryx_memory mapped{};
};

// May be shared between threads.
class AllocationRegistry {
 public:
  AllocationRegistry();

  // `requested` is the size that the program has asked for, without padding.
  bool insert(const ferryx_memory& memory, uint64_t requested);
  // The size of a live range as the program knows it, for texts.
  uint64_t requested_size(const ferryx_memory& memory) const;
  // The live range that holds `address`.
  bool find(const void* address, ferryx_memory& found) const { return live_.find(address, found); }
  bool overlaps(const void* address, uint64_t size) const { return live_.overlaps(address, size); }
  uint64_t epoch() const { return live_.epoch(); }
  std::vector<ferryx_memory> all_live() const { return live_.all(); }

  // Ends the life of the range that starts at `address` if its kind is `kind`. Of several callers,
  // one succeeds.
  bool remove(const void* address, ferryx_memory_kind kind, ferryx_memory& removed);

  // Mapped memory: parts of one reservation that touch each other are one live range
  // (address_map.h).
  bool join(const ferryx_memory& part, uint64_t group) { return live_.join(part, group); }
  bool cut(const ferryx_memory& part);

  // Registrations, by their first byte. Adding fails when the range overlaps a registered one.
  bool is_any_registered(const void* address, uint64_t size) const;
  bool add_registration(void* address, const Registration& registration);
  std::optional<Registration> remove_registration(const void* address);
  // The registration that holds `address`, and its first byte.
  std::optional<std::pair<void*, Registration>> find_registration(const void* address) const;

  // Describes what the address is, or was if it was freed recently: "memory of device 0 (4096 bytes
  // at 0x...)".
  std::string describe(const void* address) const;

 private:
  void remember_freed(const ferryx_memory& memory);
  uint64_t requested_size_locked(const ferryx_memory& memory) const;
  bool is_any_registered_locked(const char* start, uint64_t size) const;

  AddressMap live_;
  mutable std::mutex mutex_;  // protects what follows; finding live memory does not take it
  std::map<const char*, Registration> registrations_;
  std::map<const void*, uint64_t> requested_;  // of ranges with padding
  // Ring of the latest, in the sizes that the program knows; its capacity never changes.
  std::vector<ferryx_memory> freed_;
  size_t next_freed_ = 0;
};

}  // namespace ferry
