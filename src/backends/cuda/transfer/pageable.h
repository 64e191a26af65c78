// SPDX-License-Identifier: Apache-2.0
// Copies between a device and pageable host memory, through pinned staging buffers that several
// threads fill or empty while others are on the bus.
#pragma once

#include "backends/cuda/transfer/copy_threads.h"
#include "backends/cuda/transfer/pieces.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace ferry::cuda {

// One per device, never destroyed. May be shared between threads: copies run one after the other.
class PageableCopies {
 public:
  // Queues copies between pinned and device memory.
  using QueueCopies = std::function<cudaError_t(cudaStream_t, const ferryx_copies&)>;
  PageableCopies(int device, CopyThreads& threads, QueueCopies queue_copies);

  // Between host and device; complete when it returns. `fault` is set when the copy ended at an
  // address of the program that cannot be accessed.
  cudaError_t copy(const ferryx_copies& copies, const void*& fault);

 private:
  // What one thread uses: while one buffer is on the bus it fills or empties the other.
  struct Lane {
    cudaStream_t stream = nullptr;
    struct {
      char* memory = nullptr;
      cudaEvent_t done = nullptr;
      std::vector<Part> parts;
    } buffers[2];
    std::vector<ferryx_copy> queued;  // of the piece that is submitted
    std::vector<ferryx_copy> moved;   // of the piece that the host moves
  };
  struct Job;

  cudaError_t open(Lane& lane);
  cudaError_t run(Lane& lane, Job& job);
  cudaError_t send(Lane& lane, Job& job);
  cudaError_t receive(Lane& lane, Job& job);
  cudaError_t queue(Lane& lane, size_t buffer, const Job& job);
  static bool move(Lane& lane, size_t buffer, Job& job);

  const int device_;
  CopyThreads& threads_;
  const QueueCopies queue_copies_;
  // Used only inside a job of threads_. Jobs run one at a time, and each lane belongs to one
  // thread.
  std::vector<Lane> lanes_;
};

}  // namespace ferry::cuda
