// SPDX-License-Identifier: Apache-2.0
// Copies inside a device whose addresses are stored in device memory: in a descriptor, or as base
// pointers to which offsets are added. They are read when the task executes.
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
