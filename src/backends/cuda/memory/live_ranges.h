// SPDX-License-Identifier: Apache-2.0
// The live ranges for kernels: a sorted table in device memory. Kernels validate the addresses that
// they read on the device against it before they access them.
#pragma once

#include "backends/cuda/memory/range_table.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// One per device, never destroyed. May be shared between threads; the device must be current in the
// calling thread.
class LiveRanges {
 public:
  // Whether the table was made at this memory epoch.
  bool is_of(uint64_t epoch);
  // `ranges` are all ranges that kernels of this device can access, in any order.
  void update(const std::vector<ferryx_memory>& ranges, uint64_t epoch);

  // The table in device memory, for one kernel that is about to be launched on `stream`. A new
  // table is uploaded on that stream first. done_with() must follow after the launch.
  struct Lease {
    const Range* table = nullptr;
    uint32_t count = 0;
    size_t version = 0;  // for done_with
  };
  cudaError_t lease(cudaStream_t stream, Lease& lease);
  cudaError_t done_with(const Lease& lease, cudaStream_t stream);

 private:
  // One copy of the table; reused when all kernels that read it have completed.
  struct Version {
    Range* on_device = nullptr;
    Range* staged = nullptr;  // pinned
    size_t capacity = 0;
    uint32_t count = 0;
    uint32_t leases = 0;             // kernels whose event is not recorded yet
    cudaEvent_t sent = nullptr;      // recorded after the upload
    std::vector<cudaEvent_t> users;  // recorded after each kernel
  };

  cudaError_t send(cudaStream_t stream);
  cudaError_t add_user(Version& version, cudaStream_t stream);
  cudaError_t find_unused(size_t& index);
  cudaError_t forget_finished(Version& version);
  cudaError_t reserve(Version& version, size_t count);
  cudaError_t take_event(cudaEvent_t& event);

  std::mutex mutex_;  // guards all below
  std::vector<Range> ranges_;
  uint64_t epoch_ = UINT64_MAX;
  bool is_sent_ = false;  // versions_[current_] holds ranges_
  size_t current_ = 0;
  std::vector<std::unique_ptr<Version>> versions_;
  std::vector<cudaEvent_t> free_events_;
};

}  // namespace ferry::cuda
