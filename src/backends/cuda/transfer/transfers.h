// SPDX-License-Identifier: Apache-2.0
// How bytes move on one CUDA device: everything that queues copies and fills on a CUDA stream or
// makes them during the call. Order, waiting and faults are decided by queues.
#pragma once

#include "backends/cuda/memory/live_ranges.h"
#include "backends/cuda/queue/fault.h"
#include "backends/cuda/transfer/pair_ring.h"
#include "backends/cuda/transfer/plan.h"
#include "backends/cuda/transfer/ways.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ferry::cuda {

struct TransferState;

// May be shared between threads. The device must be current in the calling thread.
class Transfers {
 public:
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  // Made once per device and never destroyed. Memory for lists and staging is allocated on first
  // use.
  static cudaError_t create(int device, const Overrides& overrides, Transfers** made);

  // Queued on `stream`, which belongs to the device. Only storage addresses are used, and CUDA must
  // be able to use the memory later: device, pinned, registered, mapped; never pageable. The
  // argument is not needed after the call.
  cudaError_t copy(cudaStream_t stream, const ferryx_copies& copies);
  // A batch. `last` is the launch whose completion means that all work on the stream up to here is
  // done, or none.
  cudaError_t copy_columns(cudaStream_t stream, const ferryx_columns& columns, Ticket& last);
  cudaError_t copy_2d(cudaStream_t stream, const ferryx_rows& copy);
  cudaError_t fill(cudaStream_t stream, const ferryx_fill& fill);

  // Whether a launch of copy_columns has completed. Makes no call into CUDA, and so does not detect
  // a failed device.
  bool is_done(Ticket launch) const;

  // Reads the source bytes, from any host memory, during the call. Waits for earlier captured
  // copies when their 16 buffers, of 1 MiB each, are in flight.
  cudaError_t capture(cudaStream_t stream, const ferryx_copies& copies);

  // Copies whose addresses are read on the device when they run. An address outside the live ranges
  // is reported in `fault`, which must stay valid until the work is done, and nothing is copied.
  cudaError_t copy_described(cudaStream_t stream, const void* descriptor, LiveRanges& live,
                             FaultSlot* fault);
  cudaError_t copy_indirect(cudaStream_t stream, const ferryx_indirect& copy, LiveRanges& live,
                            FaultSlot* fault);

  // Complete when the call returns; any memory, pageable included, and any direction. `fault` is
  // set when the copy ended at an address of the program that cannot be accessed.
  cudaError_t copy_now(const ferryx_copies& copies, const void*& fault);
  cudaError_t copy_2d_now(const ferryx_rows& copy, const void*& fault);
  cudaError_t fill_now(const ferryx_fill& fill);

  // How often a way was taken so far, and why it was taken the last time.
  WayReport report(Way way) const;

 private:
  explicit Transfers(TransferState* state) : state_(state) {}
  cudaError_t copy_through_host(const ferryx_copies& copies, const void*& fault);
  template <class Launch>
  cudaError_t copy_guarded(cudaStream_t stream, LiveRanges& live, FaultSlot* fault, Launch launch);

  TransferState* const state_;
};

}  // namespace ferry::cuda
