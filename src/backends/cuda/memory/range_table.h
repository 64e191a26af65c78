// SPDX-License-Identifier: Apache-2.0
// The sorted table of live ranges and its search: the same code on the host and in kernels. Needs
// no CUDA header.
#pragma once

#include "backends/cuda/kernels/host_device.h"

#include "ferry/backend.h"

#include <cstdint>
#include <vector>

namespace ferry::cuda {

struct Range {
  uint64_t start;
  uint64_t end;  // the first byte after it
};

enum class Lookup : uint32_t {
  kInside,   // all bytes are in one live range
  kLeaving,  // the first byte is in one, the last is not
  kOutside
};

// Sorted and without overlaps. The input may overlap: the device's view of registered memory may
// have the same addresses as the memory itself.
std::vector<Range> make_table(const std::vector<ferryx_memory>& memory);

FERRY_HOST_DEVICE inline Lookup look_up(const Range* table, uint32_t count, uint64_t address,
                                        uint64_t size) {
  uint32_t low = 0;  // ranges before it start at or below the address
  for (uint32_t high = count; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (table[middle].start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0 || address >= table[low - 1].end) return Lookup::kOutside;
  return size <= table[low - 1].end - address ? Lookup::kInside : Lookup::kLeaving;
}

}  // namespace ferry::cuda
