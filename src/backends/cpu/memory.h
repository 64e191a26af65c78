// SPDX-License-Identifier: Apache-2.0
// The memory of CPU devices. Device memory has two addresses. The one programs get lies in a span
// without access rights, so that the host cannot touch it; the storage lies at a constant distance.
// Pinned host memory is ordinary memory from its own span. Registered host memory gets a device
// address from a third span.
#pragma once

#include "backends/cpu/address_space.h"

#include "ferry/backend.h"

#include <cstdint>
#include <mutex>

namespace ferry::cpu {

// Bytes of memory this process may use: the machine's, or the container's if that is less.
uint64_t usable_memory();

// Spans that all devices share, reserved by open(). May be shared between threads.
class HostSpans {
 public:
  // False when no addresses are available.
  bool reserve();

  int allocate_pinned(uint64_t size, ferryx_memory& out);
  void free_pinned(const ferryx_memory& memory);

  int map_registered(void* address, uint64_t size, ferryx_memory& out);
  void unmap_registered(const ferryx_memory& mapped);

 private:
  std::mutex mutex_;  // protects what follows
  AddressSpace pinned_;
  AddressSpace mapped_;
  uint64_t pinned_bytes_ = 0;
};

// Shared by all devices of the backend; never destroyed.
HostSpans& host_spans();

// The memory of one device. May be shared between threads.
class DeviceMemory {
 public:
  // False when no addresses are available.
  bool reserve(uint64_t capacity, uint64_t span);

  int allocate(uint64_t size, uint32_t policy, ferryx_memory& out);
  void free(const ferryx_memory& memory);
  void measure(uint64_t& free_bytes, uint64_t& total_bytes);

  uintptr_t window_start() const { return window_.start(); }
  uint64_t window_size() const { return window_.size(); }

 private:
  std::mutex mutex_;  // protects window_ and used_
  AddressSpace window_;
  uintptr_t storage_start_ = 0;
  uint64_t capacity_ = 0;
  uint64_t used_ = 0;
};

}  // namespace ferry::cpu
