// SPDX-License-Identifier: Apache-2.0
// What queues and markers need from CUDA, as two small interfaces. The logic of queues needs no
// CUDA header and is tested with a simulated line. The implementation for CUDA is in cuda_line.h.
#pragma once

#include "backends/cuda/memory/reader_lock.h"
#include "backends/cuda/plugin/cuda_error.h"
#include "backends/cuda/queue/fault.h"

#include "ferry/backend.h"

#include <cstdint>
#include <memory>

namespace ferry::cuda {

// A point on a line, passed when everything submitted before it is done. On a failed device every
// point counts as passed, with the Trouble. May be shared between threads.
class Point {
 public:
  virtual ~Point() = default;
  virtual Trouble query(bool& is_passed) = 0;
  // Waits without a time limit. The wait ends, because work on a line never depends on the host.
  virtual Trouble synchronize() = 0;
  // The time on the device's clock; only for a point that is passed.
  virtual Trouble nanoseconds(uint64_t& time) = 0;
};

// A CUDA stream. Submitting does not wait. May be shared between threads; submitters serialise
// their calls.
class Line {
 public:
  virtual ~Line() = default;

  // Addresses are resolved. With FERRYX_COPY_CAPTURE the source bytes are read during the call.
  virtual Trouble copy(const ferryx_copies& copies) = 0;
  virtual Trouble copy_columns(const ferryx_columns& columns) = 0;
  virtual Trouble copy_2d(const ferryx_rows& rows) = 0;
  virtual Trouble fill(const ferryx_fill& fill) = 0;
  // `slot` is written when the work finds an address that is not live.
  virtual Trouble copy_described(const void* descriptor, FaultSlot* slot) = 0;
  virtual Trouble copy_indirect(const ferryx_indirect& copy, FaultSlot* slot) = 0;

  virtual Trouble record(std::unique_ptr<Point>& made) = 0;
  // Makes the line wait for a point of another line of this backend.
  virtual Trouble await(Point& point) = 0;
  // A line of a failed device is idle, with the Trouble.
  virtual Trouble query(bool& is_idle) = 0;
  virtual Trouble synchronize() = 0;

  // Cleared slots, to be given back when the work that may write them is done.
  virtual Trouble take_slot(FaultSlot*& slot) = 0;
  virtual void give_back(FaultSlot* slot) = 0;

  // Held shared while a task's addresses are validated and until it is submitted. Freeing takes it
  // exclusively for a moment, after the range has been unregistered and before the memory is
  // released. Whatever was validated earlier is on its stream by then, and CUDA waits for it.
  virtual ReaderLock& memory_lock() = 0;
};

}  // namespace ferry::cuda
