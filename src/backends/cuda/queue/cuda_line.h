// SPDX-License-Identifier: Apache-2.0
// The line of a queue over a real CUDA stream.
#pragma once

#include "backends/cuda/plugin/device.h"
#include "backends/cuda/queue/line.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>

namespace ferry::cuda {

// May be shared between threads, as Line says.
class CudaLine final : public Line {
 public:
  explicit CudaLine(ferryx_device& device) : device_(device) {}
  ~CudaLine() override;
  CudaLine(const CudaLine&) = delete;
  CudaLine& operator=(const CudaLine&) = delete;

  // Makes the stream. `priority` is the seam's: 0 is the most urgent.
  Trouble open(uint32_t priority);

  Trouble copy(const ferryx_copies& copies) override;
  Trouble copy_columns(const ferryx_columns& columns) override;
  Trouble copy_2d(const ferryx_copy_2d& rows) override;
  Trouble fill(const ferryx_fill& fill) override;
  Trouble copy_described(const void* descriptor, FaultSlot* slot) override;
  Trouble copy_indirect(const ferryx_indirect_copy& copy, FaultSlot* slot) override;

  Trouble record(std::unique_ptr<Point>& made) override;
  Trouble await(Point& point) override;
  Trouble query(bool& is_idle) override;
  Trouble synchronize() override;

  Trouble take_slot(FaultSlot*& slot) override;
  void give_back(FaultSlot* slot) override;
  ReaderLock& memory_lock() override;

 private:
  // Calls CUDA to submit something whose end only CUDA knows.
  template <class Call>
  Trouble submit(const char* doing, Call into_cuda);
  // Whether the latest work has told that it has ended; for those who passed the gate.
  bool is_latest_done() const;
  // False when it does not tell, or has not ended for long.
  bool wait_for_latest() const;

  ferryx_device& device_;
  cudaStream_t stream_ = nullptr;
  // The launch whose end is the end of all that was submitted, or none. Written by those who
  // submit, one after the other; whoever waits reads it after what it waits for was submitted.
  std::atomic<Ticket> latest_ = Ticket();
  static_assert(std::atomic<Ticket>::is_always_lock_free);
};

}  // namespace ferry::cuda
