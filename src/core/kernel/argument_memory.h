// SPDX-License-Identifier: Apache-2.0
// Device memory for argument blocks of kernels. Blocks are small and short-lived, so that they are
// cut from larger pieces: making one must not change the memory epoch.
#pragma once

#include "base/status.h"
#include "core/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry {

class RuntimeMemory;

// One block in device memory; given back with the object.
class ArgumentMemory {
 public:
  // 207001 when the device's memory is used up.
  static Result<std::unique_ptr<ArgumentMemory>> make(Device& device, size_t size);
  ~ArgumentMemory();
  ArgumentMemory(const ArgumentMemory&) = delete;
  ArgumentMemory& operator=(const ArgumentMemory&) = delete;

  void* address() const { return address_; }
  // nullptr on devices whose memory the host cannot access.
  void* storage() const { return storage_; }

 private:
  ArgumentMemory() = default;

  Device* device_ = nullptr;
  size_t size_class_ = 0;
  char* address_ = nullptr;
  char* storage_ = nullptr;
  std::unique_ptr<RuntimeMemory> own_;  // of a block too large for the common pieces
};

// Gives memory back that no block uses.
void trim_argument_memory(const Device& device);

}  // namespace ferry
