// SPDX-License-Identifier: Apache-2.0
// A line that is a real CUDA stream.
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

  // Creates the stream. `priority` is the backend interface's: 0 is the most urgent.
  Trouble open(uint32_t priority);

  Trouble copy(const ferryx_copies& copies) override;
  Trouble copy_columns(const ferryx_columns& columns) override;
  Trouble copy_2d(const ferryx_rows& rows) override;
  Trouble fill(const ferryx_fill& fill) override;
  Trouble copy_described(const void* descriptor, FaultSlot* slot) override;
  Trouble copy_indirect(const ferryx_indirect& copy, FaultSlot* slot) override;

  Trouble record(std::unique_ptr<Point>& made) override;
  Trouble await(Point& point) override;
  Trouble query(bool& is_idle) override;
  Trouble synchronize() override;

  Trouble take_slot(FaultSlot*& slot) override;
  void give_back(FaultSlot* slot) override;
  ReaderLock& memory_lock() override;

 private:
  // Submits work whose completion only CUDA can report.
  template <class Call>
  Trouble submit(const char* doing, Call into_cuda);
  // Whether the completion words show that all submitted work is done. Needs a Gate::Pass.
  bool is_latest_done() const;
  // Polls the completion words. False when the latest work has none, or is not done after a while.
  bool wait_for_latest() const;

  ferryx_device& device_;
  cudaStream_t stream_ = nullptr;
  // The launch whose completion means that all submitted work is done, or none. Submitters write it
  // one after the other; a waiting thread reads it after the work it waits for was submitted.
  std::atomic<Ticket> latest_ = Ticket();
  static_assert(std::atomic<Ticket>::is_always_lock_free);
};

}  // namespace ferry::cuda
