// SPDX-License-Identifier: Apache-2.0
// What queues and markers ask of CUDA, as two small interfaces: their logic needs no header of CUDA
// and is tested with a line that plays CUDA. The real ones are in cuda_line.h.
#pragma once

#include "backends/cuda/memory/reader_lock.h"
#include "backends/cuda/plugin/cuda_error.h"
#include "backends/cuda/queue/fault.h"

#include "ferry/backend.h"

#include <cstdint>
#include <memory>

namespace ferry::cuda {

// A point on a line that everything submitted to it before has to pass. A line whose device has
// failed counts as passed, with the trouble. May be shared between threads.
class Point {
 public:
  virtual ~Point() = default;
  virtual Trouble query(bool& is_passed) = 0;
  // Waits; there is no end to it but the work's, which never depends on the host.
  virtual Trouble synchronize() = 0;
  // On the clock of the device; only when it is passed.
  virtual Trouble nanoseconds(uint64_t& time) = 0;
};

// A CUDA stream. Submitting does not wait. May be shared between threads; those who submit put
// themselves in order.
class Line {
 public:
  virtual ~Line() = default;

  // Addresses are resolved. With FERRYX_COPY_CAPTURE the source is taken during the call.
  virtual Trouble copy(const ferryx_copies& copies) = 0;
  virtual Trouble copy_columns(const ferryx_columns& columns) = 0;
  virtual Trouble copy_2d(const ferryx_copy_2d& rows) = 0;
  virtual Trouble fill(const ferryx_fill& fill) = 0;
  // `slot` is written when the work finds an address that is not live.
  virtual Trouble copy_described(const void* descriptor, FaultSlot* slot) = 0;
  virtual Trouble copy_indirect(const ferryx_indirect_copy& copy, FaultSlot* slot) = 0;

  virtual Trouble record(std::unique_ptr<Point>& made) = 0;
  // The line waits for the point of another line of this backend.
  virtual Trouble await(Point& point) = 0;
  // A line whose device has failed is idle, with the trouble.
  virtual Trouble query(bool& is_idle) = 0;
  virtual Trouble synchronize() = 0;

  // Cleared slots, to be given back when the work that may write them is done.
  virtual Trouble take_slot(FaultSlot*& slot) = 0;
  virtual void give_back(FaultSlot* slot) = 0;

  // Held, shared, from judging the addresses of a task until it is submitted. Who frees memory
  // takes it for a moment between making the memory unknown and freeing it: whatever was judged
  // before is then on its stream, and CUDA waits for it before the memory goes.
  virtual ReaderLock& memory_lock() = 0;
};

}  // namespace ferry::cuda
