// SPDX-License-Identifier: Apache-2.0
// The setting of races on a GPU: both lanes, the random bytes they copy, and the check of what
// arrived. Bytes are checked once per way and shape, through CUDA and not through Ferry.
#pragma once

#include "bench/client.h"
#include "bench/cuda/ferry_lane.h"
#include "bench/cuda/lane.h"
#include "bench/race.h"
#include "bench/raw/cuda_lane.h"
#include "bench/raw/thread_team.h"
#include "bench/transfer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ferry::bench::cuda {

/// "in", "out", "inside".
const char* direction_text(Direction direction);

/// The blocks of `layout` in the memory of one lane.
Blocks blocks_of(const Layout& layout, const Lane& lane, Direction direction);

/// Used by one thread. The team must outlive it.
class Ground {
 public:
  /// Allocates `bytes` on each side of each lane.
  Ground(ThreadTeam& team, size_t bytes);

  size_t bytes() const { return ferry_.bytes(); }
  FerryLane& ferry() { return ferry_; }
  CudaLane& raw() { return *raw_; }

  /// Pageable host memory: the first holds the random bytes, the second is free to use.
  std::byte* pageable_source() const { return reference_.at(0); }
  std::byte* pageable_target() const { return pageable_.at(0); }

  /// Puts the random bytes into the sources of this direction on both lanes. Overwrites the
  /// targets.
  void prepare(Direction direction);

  /// Clears the targets of the layouts on a lane, runs `copy`, waits, and throws when a byte is
  /// wrong.
  void verify(Lane& lane, Direction direction, const std::vector<Layout>& layouts,
              const std::function<void()>& copy);
  /// The same for a copy to pageable_target.
  void verify_pageable(Lane& lane, size_t bytes, const std::function<void()>& copy);

 private:
  void clear(Lane& lane, Direction direction, const std::vector<Layout>& layouts);
  const std::byte* arrived(Lane& lane, Direction direction, size_t bytes);
  void compare(const std::byte* arrived, const Layout& layout) const;

  ThreadTeam& team_;
  Buffer reference_;
  Buffer pageable_;
  FerryLane ferry_;
  std::unique_ptr<CudaLane> raw_;
  bool is_host_ready_ = false;    // the pinned memory of both lanes holds the random bytes
  bool is_device_ready_ = false;  // the first half of their device memory holds them
};

}  // namespace ferry::bench::cuda
