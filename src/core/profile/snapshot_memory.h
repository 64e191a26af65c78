// SPDX-License-Identifier: Apache-2.0
// Copies of device memory that a snapshot keeps on the host.
#pragma once

#include "base/status.h"

#include "ferry/backend.h"

#include <memory>
#include <vector>

namespace ferry {

struct SavedMemory {
  ferryx_memory memory;  // as it was
  std::unique_ptr<char[]> bytes;
};

// Copies all live device memory that can be accessed, also what other processes have shared with
// this one. 507908 when the host has no room for it, or a copy fails.
Result<std::vector<SavedMemory>> save_device_memory();

// Copies it back. Memory that was freed meanwhile, even if its address is in use again with another
// size, is left alone. 507909 when a copy fails.
Status restore_device_memory(const std::vector<SavedMemory>& saved);

}  // namespace ferry
