// SPDX-License-Identifier: Apache-2.0
// Where races on a GPU are held: both lanes, the random bytes they copy, and the look at what has
// arrived. Bytes are looked at once for each way and shape, by CUDA and not by Ferry.
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

/// The blocks of `layout` on one lane.
Blocks blocks_of(const Layout& layout, const Lane& lane, Direction direction);

/// Used by one thread. The team must outlive it.
class Ground {
 public:
  /// `bytes` of memory on each end of each lane.
  Ground(ThreadTeam& team, size_t bytes);

  size_t bytes() const { return ferry_.bytes(); }
  FerryLane& ferry() { return ferry_; }
  CudaLane& raw() { return *raw_; }

  /// Ordinary memory of the host: the first holds the random bytes, the second is free to use.
  std::byte* pageable_source() const { return reference_.at(0); }
  std::byte* pageable_target() const { return pageable_.at(0); }

  /// Puts the random bytes into the sources of this direction on both lanes. What was in the
  /// targets is lost.
  void prepare(Direction direction);

  /// Clears the targets of the layouts on a lane, runs `copy`, waits, and throws when a byte did
  /// not arrive.
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
  bool is_device_ready_ = false;  // and so does the first half of their device memory
};

}  // namespace ferry::bench::cuda
