// SPDX-License-Identifier: Apache-2.0
// Device memory that each context has for its kernels: the overflow status, and the words through
// which the blocks of a kernel synchronise. 64 bytes each, zeroed, made on first use.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/runtime_memory.h"

#include <cstdint>
#include <memory>
#include <mutex>

namespace ferry {

// May be shared between threads.
class ContextWords {
 public:
  static constexpr uint64_t kSize = 64;

  // 207001 when the device has no memory left, 507000 when the context is being destroyed.
  Result<void*> overflow_status(Device& device) { return address(device, 0); }
  Result<void*> sync_words(Device& device) { return address(device, kSize); }
  // The context ends; its work is done or dropped.
  void end();

 private:
  Result<void*> address(Device& device, uint64_t offset);

  std::mutex mutex_;  // guards what follows
  std::unique_ptr<RuntimeMemory> memory_;
  bool has_ended_ = false;
};

}  // namespace ferry
