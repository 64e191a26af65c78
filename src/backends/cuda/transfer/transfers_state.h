// SPDX-License-Identifier: Apache-2.0
// The state of a Transfers object; for its own files.
#pragma once

#include "backends/cuda/transfer/copy_threads.h"
#include "backends/cuda/transfer/pageable.h"
#include "backends/cuda/transfer/pair_ring.h"
#include "backends/cuda/transfer/pinned_ring.h"
#include "backends/cuda/transfer/plan.h"
#include "backends/cuda/transfer/reach.h"
#include "backends/cuda/transfer/stream_pool.h"
#include "backends/cuda/transfer/transfers.h"
#include "backends/cuda/transfer/ways.h"

#include <cstdint>
#include <mutex>
#include <optional>

namespace ferry::cuda {

constexpr size_t kMostLists = 16;
constexpr uint64_t kCaptureBytes = uint64_t{1} << 20;
constexpr size_t kMostCaptures = 16;

// Members are thread-safe themselves, or not changed after Transfers::create. The exception is the
// calibration, which is written once under its flag.
struct TransferState {
  TransferState(int number, const Overrides& wanted) : device(number), overrides(wanted) {}

  const int device;
  const Overrides overrides;
  uint32_t multiprocessors = 0;
  uint64_t largest_pitch = 0;
  bool overlaps_kernels = false;  // a kernel may start before the previous one has ended
  DeviceReach reach;
  WayCounters ways;
  PinnedRing lists{kListBytes, kMostLists};
  PairRing pairs;
  PinnedRing captured{kCaptureBytes, kMostCaptures};
  std::once_flag is_calibrated;
  Calibration calibration = default_calibration();
  StreamPool streams;
  CopyThreads threads{default_copy_threads()};
  std::optional<PageableCopies> pageable;  // made in Transfers::create
};

}  // namespace ferry::cuda
