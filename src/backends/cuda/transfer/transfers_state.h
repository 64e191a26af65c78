// SPDX-License-Identifier: Apache-2.0
// The state of a Transfers object, and what its own files share.
#pragma once

#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/copy_threads.h"
#include "backends/cuda/transfer/pageable.h"
#include "backends/cuda/transfer/pair_ring.h"
#include "backends/cuda/transfer/pinned_ring.h"
#include "backends/cuda/transfer/plan.h"
#include "backends/cuda/transfer/reach.h"
#include "backends/cuda/transfer/stream_pool.h"
#include "backends/cuda/transfer/transfers.h"
#include "backends/cuda/transfer/ways.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <algorithm>
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

// Measured, or read from the cache, on first use.
const Calibration& calibration_of(TransferState& state);

inline bool is_over_bus(uint32_t direction) {
  return direction == FERRYX_HOST_TO_DEVICE || direction == FERRYX_DEVICE_TO_HOST;
}

inline Bus bus_of(uint32_t direction) {
  return direction == FERRYX_HOST_TO_DEVICE ? Bus::kToDevice : Bus::kToHost;
}

inline uint32_t multiprocessors_of(const TransferState& state, const KernelShape& shape) {
  return std::min(shape.blocks, state.multiprocessors);
}

// Queue copies: one, or a batch in the cheapest way over the bus.
cudaError_t copy_one(TransferState& state, cudaStream_t stream, const ferryx_copy& item,
                     uint32_t direction);
cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_copies& copies);
// `last`: the launch that completes last, if it has completion words.
cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_columns& columns,
                       Ticket& last);

}  // namespace ferry::cuda
