// SPDX-License-Identifier: Apache-2.0
// Device memory that the runtime keeps for itself: loaded binaries, device variables, argument
// blocks of kernels.
#pragma once

#include "base/status.h"
#include "core/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry {

// A piece of device memory, freed with the object. The program can copy to and from it like any
// other, but not free it: no address that it learns is the start of an allocation.
class RuntimeMemory {
 public:
  // 207001 when the device's memory is used up.
  static Result<std::unique_ptr<RuntimeMemory>> make(Device& device, uint64_t size);
  ~RuntimeMemory();
  RuntimeMemory(const RuntimeMemory&) = delete;
  RuntimeMemory& operator=(const RuntimeMemory&) = delete;

  Device& device() const { return device_; }
  char* address() const;
  // Where code of the host finds the bytes; nullptr on devices whose memory it cannot access.
  char* storage() const { return storage_; }
  uint64_t size() const { return size_; }

  // Sets all bytes to 0.
  Status clear() const;
  // Copies `size` bytes of host memory to the start.
  Status fill_from(const void* bytes, uint64_t size) const;

 private:
  RuntimeMemory(Device& device, uint64_t size) : device_(device), size_(size) {}

  Device& device_;
  const uint64_t size_;
  void* allocation_ = nullptr;
  char* storage_ = nullptr;
};

}  // namespace ferry
