// SPDX-License-Identifier: Apache-2.0
// Where an address lies: on a device, in pinned, pageable or managed memory; and whether a range
// that starts there may be accessed.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/host_probe.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry {

struct Location {
  const void* address = nullptr;
  ferryx_memory memory{};  // the live range that holds it; kind PAGEABLE if there is none

  bool is_device() const {
    return memory.kind == FERRYX_MEMORY_DEVICE || memory.kind == FERRYX_MEMORY_MAPPED ||
           is_remote();
  }
  // Memory of another host: on the side of the device, without storage.
  bool is_remote() const { return memory.kind == FERRYX_MEMORY_REMOTE; }
  bool is_pageable() const { return memory.kind == FERRYX_MEMORY_PAGEABLE; }
  // Neither on the host nor on a device by itself: see direction_of.
  bool is_managed() const { return memory.kind == FERRYX_MEMORY_MANAGED; }
  bool is_host() const { return !is_device() && !is_managed(); }
  // Mapped, but nobody may access it yet: it has no storage.
  bool is_closed() const { return memory.storage == nullptr && !is_pageable() && !is_remote(); }

  // Whether another address lies in the same live range.
  bool surrounds(const void* other) const {
    const auto offset =
        reinterpret_cast<uintptr_t>(other) - reinterpret_cast<uintptr_t>(memory.address);
    return offset < memory.size;
  }

  uint64_t offset() const {
    return static_cast<uint64_t>(static_cast<const char*>(address) -
                                 static_cast<const char*>(memory.address));
  }
  // Whether `size` bytes from the address on stay inside the live range. Pageable memory has no
  // range and always passes.
  bool holds(uint64_t size) const {
    return is_pageable() ||
           (size <= memory.size - offset() && (memory.storage != nullptr || is_remote()));
  }
  // The storage of the bytes; nullptr when `size` bytes leave the live range, and for memory of
  // another host.
  void* storage_of(uint64_t size) const {
    if (is_pageable()) return const_cast<void*>(address);
    if (memory.storage == nullptr || size > memory.size - offset()) return nullptr;
    return static_cast<char*>(memory.storage) + offset();
  }
};

// Unknown and freed addresses count as pageable host memory.
Location locate(const void* address);

// Both sides of a copy, and the memory epoch in which they were located.
struct CopyPlaces {
  uint64_t epoch = 0;
  Location dst;
  Location src;
};
CopyPlaces locate_copy(const void* dst, const void* src);

// For work done during the call: 107000 when the range leaves its allocation or is not mapped.
// `argument` names it in the text.
Status check_range(const char* argument, const Location& location, uint64_t size, Access access);
// The same for a source that the backend reads while the work is submitted. It does so outside any
// trap, so every page is checked.
Status check_captured_source(const Location& src, uint64_t size);

// When memory is used: during the call, or by a task.
enum class Use { kNow, kQueued };

// 107000 when a device cannot use the memory because another backend provides it. During the call
// every device can use host memory; tasks need it pinned for their own backend.
Status check_backend(const Device& device, const Location& location, Use use);

// The same for both sides of a copy; also 107000 when the copy needs peer access that is not
// enabled.
Status check_reach(const Device& device, const Location& dst, const Location& src, Use use);

// "host memory", "device memory" or "managed memory".
const char* side_in_words(const Location& location);

// The direction for each pair of memory kinds: copies look it up, and the rule is written once.
class Directions {
 public:
  constexpr Directions() {
    for (uint32_t dst = 0; dst < kKinds; ++dst) {
      for (uint32_t src = 0; src < kKinds; ++src)
        of_[dst][src] = between(dst, src);
    }
  }
  ferryx_direction of(uint32_t dst, uint32_t src) const {
    return static_cast<ferryx_direction>(of_[dst % kKinds][src % kKinds]);
  }

 private:
  static constexpr uint32_t kKinds = 8;

  static constexpr bool is_device(uint32_t kind) {
    return kind == FERRYX_MEMORY_DEVICE || kind == FERRYX_MEMORY_MAPPED ||
           kind == FERRYX_MEMORY_REMOTE;
  }
  // Managed memory counts as host memory beside a device address, else as device memory: beside a
  // host address, and beside other managed memory.
  static constexpr bool is_host(uint32_t kind, uint32_t beside) {
    return kind == FERRYX_MEMORY_MANAGED ? is_device(beside) : !is_device(kind);
  }
  static constexpr uint8_t between(uint32_t dst, uint32_t src) {
    if (is_host(src, dst)) return is_host(dst, src) ? FERRYX_HOST_TO_HOST : FERRYX_HOST_TO_DEVICE;
    return is_host(dst, src) ? FERRYX_DEVICE_TO_HOST : FERRYX_DEVICE_TO_DEVICE;
  }

  uint8_t of_[kKinds][kKinds] = {};
};
inline constexpr Directions kDirections;

inline ferryx_direction direction_of(const Location& dst, const Location& src) {
  return kDirections.of(dst.memory.kind, src.memory.kind);
}

inline bool is_over_bus(ferryx_direction direction) {
  return direction == FERRYX_HOST_TO_DEVICE || direction == FERRYX_DEVICE_TO_HOST;
}

}  // namespace ferry
