// SPDX-License-Identifier: Apache-2.0
// Where an address lies: on a device, in pinned host memory, or in pageable host memory; and
// whether a range that starts there may be accessed.
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
    return memory.kind == FERRYX_MEMORY_DEVICE || memory.kind == FERRYX_MEMORY_MAPPED;
  }
  bool is_pageable() const { return memory.kind == FERRYX_MEMORY_PAGEABLE; }
  bool is_host() const { return !is_device(); }

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
  bool holds(uint64_t size) const { return is_pageable() || size <= memory.size - offset(); }
  // The storage of the bytes; nullptr when `size` bytes leave the live range.
  void* storage_of(uint64_t size) const {
    if (is_pageable()) return const_cast<void*>(address);
    return holds(size) ? static_cast<char*>(memory.storage) + offset() : nullptr;
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

// When memory is used: during the call, or by a task.
enum class Use { kNow, kQueued };

// 107000 when a device cannot use the memory because another backend provides it. During the call
// every device can use host memory; tasks need it pinned for their own backend.
Status check_backend(const Device& device, const Location& location, Use use);

// The same for both sides of a copy; also 107000 when the copy needs peer access that is not
// enabled.
Status check_reach(const Device& device, const Location& dst, const Location& src, Use use);

inline ferryx_direction direction_of(const Location& dst, const Location& src) {
  if (src.is_host()) return dst.is_host() ? FERRYX_HOST_TO_HOST : FERRYX_HOST_TO_DEVICE;
  return dst.is_host() ? FERRYX_DEVICE_TO_HOST : FERRYX_DEVICE_TO_DEVICE;
}

}  // namespace ferry
