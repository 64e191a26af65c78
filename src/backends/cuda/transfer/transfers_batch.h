// SPDX-License-Identifier: Apache-2.0
// Queues copies over the bus: one, or a batch in the cheapest way. For the files of Transfers.
#pragma once

#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/transfers_state.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace ferry::cuda {

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

cudaError_t copy_one(TransferState& state, cudaStream_t stream, const ferryx_copy& item,
                     uint32_t direction);
cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_copies& copies);
// `last`: the launch that completes last, if it has completion words.
cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_columns& columns,
                       Ticket& last);

}  // namespace ferry::cuda
