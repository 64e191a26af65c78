// SPDX-License-Identifier: Apache-2.0
// Cuts a unit for its warp: single bytes, aligned vectors, single bytes. Needs no CUDA header.
#pragma once

#include "backends/cuda/kernels/host_device.h"

#include <cstdint>

namespace ferry::cuda {

constexpr uint32_t kLanes = 32;
constexpr uint32_t kVector = 16;

// The bytes that one warp copies at a time.
struct Unit {
  uint64_t dst = 0;
  uint64_t src = 0;
  uint32_t size = 0;
};

// Up to 32 bytes one by one, then whole vectors that are aligned at the destination, then up to 32
// bytes again. Where the source is aligned differently, a vector is assembled from two aligned
// vectors of the source. These are all inside the unit: no byte outside of it is read.
struct Cut {
  uint32_t head = 0;
  uint32_t vectors = 0;
  uint32_t tail = 0;
  uint32_t shift = 0;  // misalignment of the source after the head, in bytes
};

FERRY_HOST_DEVICE inline Cut cut(const Unit& unit) {
  Cut made;
  made.head = static_cast<uint32_t>(-unit.dst) % kVector;
  made.shift = static_cast<uint32_t>(unit.src + made.head) % kVector;
  // The first aligned vector of the source must not start before the unit.
  if (made.shift > made.head) made.head += kVector;
  const uint32_t available = unit.size + made.shift;
  if (available > made.head) made.vectors = (available - made.head) / kVector;
  if (made.shift > 0 && made.vectors > 0) --made.vectors;
  if (made.vectors == 0) made.head = unit.size < kLanes ? unit.size : kLanes;
  made.tail = unit.size - made.head - made.vectors * kVector;
  return made;
}

}  // namespace ferry::cuda
