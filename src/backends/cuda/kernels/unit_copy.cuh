// SPDX-License-Identifier: Apache-2.0
// Shared by all copy kernels: warps take units and move them with loads and stores of 16 bytes.
// Where units come from is not known here.
#pragma once

#include "backends/cuda/kernels/unit_cut.h"
#include "backends/cuda/transfer/plan.h"

#include <cstdint>

namespace ferry::cuda {

constexpr uint32_t kAllLanes = 0xffffffff;

// The data is accessed once: it should evict nothing from the caches.
__device__ inline uint4 load_vector(uint64_t address) {
  return __ldcs(reinterpret_cast<const uint4*>(address));
}
__device__ inline void store_vector(uint64_t address, const uint4& vector) {
  __stcs(reinterpret_cast<uint4*>(address), vector);
}

// The 16 bytes that start `shift` bytes into `low`, where `high` follows it.
__device__ inline uint4 shifted(const uint4& low, const uint4& high, uint32_t shift) {
  uint32_t words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  if (shift & 8) {
#pragma unroll
    for (int i = 0; i < 6; ++i)
      words[i] = words[i + 2];
  }
  if (shift & 4) {
#pragma unroll
    for (int i = 0; i < 5; ++i)
      words[i] = words[i + 1];
  }
  const uint32_t bits = shift % 4 * 8;
  return make_uint4(
      __funnelshift_r(words[0], words[1], bits), __funnelshift_r(words[1], words[2], bits),
      __funnelshift_r(words[2], words[3], bits), __funnelshift_r(words[3], words[4], bits));
}

__device__ inline uint4 from_next_lane(const uint4& vector) {
  return make_uint4(
      __shfl_down_sync(kAllLanes, vector.x, 1), __shfl_down_sync(kAllLanes, vector.y, 1),
      __shfl_down_sync(kAllLanes, vector.z, 1), __shfl_down_sync(kAllLanes, vector.w, 1));
}

template <class T>
__device__ T from_lane(T value, uint32_t lane) {
  return __shfl_sync(kAllLanes, value, lane);
}

__device__ inline uint32_t sum_of_lanes_before(uint32_t value, uint32_t lane) {
  uint32_t sum = value;
#pragma unroll
  for (uint32_t distance = 1; distance < kLanes; distance *= 2) {
    const uint32_t other = __shfl_up_sync(kAllLanes, sum, distance);
    if (lane >= distance) sum += other;
  }
  return sum - value;
}

// Copies the vectors of the units that the lanes of a warp hold. They form one sequence of steps; a
// step is one vector per lane, all of the same unit. So kLoads steps are in flight however small
// the units are.
template <int kLoads, bool kIsShifted>
__device__ void copy_vectors(const Unit& unit, const Cut& mine, uint32_t lane) {
  const uint32_t steps = (mine.vectors + kLanes - 1) / kLanes;
  const uint32_t start = sum_of_lanes_before(steps, lane);
  const uint32_t total = from_lane(start + steps, kLanes - 1);
  const uint64_t dst_start = unit.dst + mine.head;
  const uint64_t src_start = unit.src + mine.head - mine.shift;
  for (uint32_t base = 0; base < total; base += kLoads) {
    uint4 vectors[kLoads];
    uint4 behind[kLoads];  // the vector after the last lane's; used when shifted
    uint64_t dst[kLoads];
    uint32_t count[kLoads];
    uint32_t shift[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const uint32_t step = base + i;
      // A lane without steps starts where the next lane does: the last lane that has started is the
      // owner.
      const uint32_t owner = __popc(__ballot_sync(kAllLanes, start <= step)) - 1;
      const uint32_t first = (step - from_lane(start, owner)) * kLanes;
      const uint32_t left = from_lane(mine.vectors, owner) - first;
      const uint64_t offset = static_cast<uint64_t>(first + lane) * kVector;
      const uint64_t src = from_lane(src_start, owner) + offset;
      dst[i] = from_lane(dst_start, owner) + offset;
      count[i] = step < total ? min(left, kLanes) : 0;
      shift[i] = kIsShifted ? from_lane(mine.shift, owner) : 0;
      const uint32_t needed = count[i] > 0 && shift[i] > 0 ? count[i] + 1 : count[i];
      vectors[i] = lane < needed ? load_vector(src) : uint4{};
      behind[i] = uint4{};
      if (kIsShifted && needed > kLanes && lane == kLanes - 1) {
        behind[i] = load_vector(src + kVector);
      }
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      if (kIsShifted) {
        const uint4 next = from_next_lane(vectors[i]);
        const bool is_last = lane == kLanes - 1;
        if (shift[i] > 0) {
          vectors[i] = shifted(vectors[i], is_last ? behind[i] : next, shift[i]);
        }
      }
      if (lane < count[i]) store_vector(dst[i], vectors[i]);
    }
  }
}

// Copies the single bytes at both ends of the units.
template <int kLoads>
__device__ void copy_edges(const Unit& unit, const Cut& mine, uint32_t lane) {
  uint32_t waiting = __ballot_sync(kAllLanes, mine.head + mine.tail > 0);
  while (waiting != 0) {
    uint8_t first[kLoads];
    uint8_t last[kLoads];
    uint32_t head[kLoads];
    uint32_t tail[kLoads];
    uint64_t dst[kLoads];
    uint64_t tail_start[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const bool is_one = waiting != 0;
      const uint32_t owner = is_one ? __ffs(static_cast<int>(waiting)) - 1 : 0;
      waiting &= waiting - 1;
      head[i] = from_lane(is_one ? mine.head : 0, owner);
      tail[i] = from_lane(is_one ? mine.tail : 0, owner);
      tail_start[i] = from_lane(unit.size, owner) - tail[i];
      dst[i] = from_lane(unit.dst, owner);
      const auto* src = reinterpret_cast<const uint8_t*>(from_lane(unit.src, owner));
      first[i] = lane < head[i] ? src[lane] : 0;
      last[i] = lane < tail[i] ? src[tail_start[i] + lane] : 0;
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      auto* bytes = reinterpret_cast<uint8_t*>(dst[i]);
      if (lane < head[i]) bytes[lane] = first[i];
      if (lane < tail[i]) bytes[tail_start[i] + lane] = last[i];
    }
  }
}

__device__ inline void copy_group(const Unit& unit, uint32_t lane) {
  const Cut mine = cut(unit);
  if (__any_sync(kAllLanes, mine.shift > 0 && mine.vectors > 0)) {
    // Assembling vectors takes registers: fewer are in flight.
    copy_vectors<2, true>(unit, mine, lane);
  } else {
    copy_vectors<kKernelLoads, false>(unit, mine, lane);
  }
  copy_edges<2>(unit, mine, lane);
}

// Copies all units of `source` with all warps of the grid. Each lane of a warp holds a unit; fewer
// lanes do when there are fewer units than lanes in the grid. The units of the next round are
// fetched while this round is copied, because they may come over the bus.
template <class Source>
__device__ void copy_units(const Source& source) {
  const uint32_t lane = threadIdx.x % kLanes;
  const uint64_t warps = static_cast<uint64_t>(gridDim.x) * (blockDim.x / kLanes);
  const uint64_t warp =
      static_cast<uint64_t>(blockIdx.x) * (blockDim.x / kLanes) + threadIdx.x / kLanes;
  const uint64_t units = source.units();
  const uint64_t share = min((units + warps - 1) / warps, static_cast<uint64_t>(kLanes));
  const auto unit_of = [&](uint64_t group) {
    const uint64_t index = group * share + lane;
    return lane < share && index < units ? source.unit(index) : Unit{};
  };
  Unit unit = unit_of(warp);
  for (uint64_t group = warp; group * share < units; group += warps) {
    const Unit next = unit_of(group + warps);
    copy_group(unit, lane);
    unit = next;
  }
}

}  // namespace ferry::cuda
