// SPDX-License-Identifier: Apache-2.0
// A CPU device: its memory and its engine.
#pragma once

#include "backends/cpu/engine.h"
#include "backends/cpu/memory.h"
#include "backends/cpu/physical_memory.h"
#include "sharing/ledger.h"

#include "ferry/backend.h"

#include <cstdint>
#include <memory>

// May be shared between threads; never destroyed.
struct ferryx_device {
  explicit ferryx_device(const ferry::cpu::EngineSettings& settings) : engine(settings) {}

  ferry::cpu::DeviceMemory memory;
  ferry::cpu::DeviceFile file;  // of physical memory
  ferry::cpu::Engine engine;
};

namespace ferry::cpu {

// The settings passed to open(), with defaults resolved.
struct BackendSettings {
  uint32_t device_count = 1;
  uint64_t capacity = 0;  // of one device
  uint64_t span = 0;      // addresses reserved for one device
  uint32_t threads = 1;
  ferryx_schedule schedule = FERRYX_EAGER;
  uint64_t seed = 0;
  std::shared_ptr<sharing::Ledger> ledger;  // nullptr: the capacity is that of this process
};
BackendSettings resolve_settings(const ferryx_settings& settings, uint32_t device_count);

// 0 or 507033.
int open_device(const BackendSettings& settings, uint32_t index, ferryx_device** device);

// Executes copies, rows or a fill during the call. Large work is shared with the copy threads. 0,
// or 107000 when memory of the program cannot be accessed.
int execute(ferryx_device& device, const ferryx_work& work);

}  // namespace ferry::cpu
