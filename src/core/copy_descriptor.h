// SPDX-License-Identifier: Apache-2.0
// Copies inside a device whose addresses stand in device memory: by a descriptor, or by base
// pointers with offsets. What stands there is read when the task runs.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry {

constexpr uint64_t kLargestIndirectCopy = uint64_t{1} << 32;  // 4 GiB
constexpr uint64_t kDescriptorAlignment = 64;

struct DescriptorRequest {
  void* descriptor = nullptr;
  const void* src = nullptr;
  const void* dst = nullptr;
  uint64_t size = 0;
};

// Writes the descriptor into device memory, during the call.
Status write_descriptor(const DescriptorRequest& request);

Status copy_described(const void* descriptor, Stream& stream);
Status copy_indirect(const ferryx_indirect& copy, Stream& stream);

}  // namespace ferry
