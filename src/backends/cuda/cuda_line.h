// SPDX-License-Identifier: Apache-2.0
// The line of a queue over a real CUDA stream.
#pragma once

#include "backends/cuda/device.h"
#include "backends/cuda/line.h"

#include <cuda_runtime_api.h>

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
  ferryx_device& device_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace ferry::cuda
