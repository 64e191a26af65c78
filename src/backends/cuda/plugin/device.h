// SPDX-License-Identifier: Apache-2.0
// A CUDA device: the state that its queues, markers and memory share.
#pragma once

#include "backends/cuda/memory/live_ranges.h"
#include "backends/cuda/plugin/cuda_call.h"
#include "backends/cuda/plugin/current_device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/queue/device_clock.h"
#include "backends/cuda/queue/event_pool.h"
#include "backends/cuda/queue/fault_slots.h"
#include "backends/cuda/queue/open_streams.h"
#include "backends/cuda/queue/progress.h"
#include "backends/cuda/transfer/transfers.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

// May be shared between threads; never destroyed.
struct ferryx_device {
 public:
  explicit ferryx_device(int cuda_index)
      : index(cuda_index), clock(cuda_index), events(cuda_index) {}

  // Translates a CUDA result of this device. After a fatal error every call gets the same Trouble.
  ferry::cuda::Trouble check(cudaError_t error, const char* doing) {
    return error == cudaSuccess ? ferry::cuda::Trouble() : explain(error, doing);
  }

  // Calls CUDA with whatever device is current, unless the process is ending. Checks the result.
  template <class Call>
  ferry::cuda::Trouble call(const char* doing, Call into_cuda) {
    const ferry::cuda::Gate::Pass pass(ferry::cuda::gate);
    return pass ? check(into_cuda(), doing) : ferry::cuda::no_more_work();
  }
  // The same with this device current.
  template <class Call>
  ferry::cuda::Trouble call_here(const char* doing, Call into_cuda) {
    return call(doing, [&] {
      const ferry::cuda::CurrentDevice current(index);
      return into_cuda();
    });
  }

  // Brings the table of live ranges up to date. The caller holds the memory lock.
  void refresh_live_ranges();

  const int index;  // CUDA's ordinal
  std::string name;
  std::string bus_id;   // "0000:3d:00.0"
  int most_urgent = 0;  // CUDA stream priorities: the lowest number is the most urgent
  int least_urgent = 0;
  ferry::cuda::Transfers* transfers = nullptr;
  ferry::cuda::DeviceClock clock;
  ferry::cuda::EventPool events;
  ferry::cuda::FaultSlots slots;
  ferry::cuda::LiveRanges live;
  ferry::cuda::OpenStreams streams;
  ferry::cuda::Progress progress;

 private:
  ferry::cuda::Trouble explain(cudaError_t error, const char* doing);

  std::mutex live_mutex_;     // held while the table's epoch is compared and the table updated
  std::mutex failure_mutex_;  // guards failure_
  ferry::cuda::Trouble failure_;
};

namespace ferry::cuda {

// Counts the devices. Returns 507033, with a text that says what is missing, when there is none.
int count_devices(uint32_t& count);

// 0 or 507033.
int open_device(int index, const Overrides& overrides, ferryx_device** device);

// The process is ending: waits at most 1 s for held work and for work on CUDA streams, then closes
// the gate to CUDA. Joins no thread. Idempotent.
void leave_cuda();

// For what no caller can be told: warns in the log.
void log_trouble(const Trouble& trouble);

// All devices opened so far.
std::vector<ferryx_device*> opened_devices();

// Executes copies, rows or a fill during the call. 0 or an error that was recorded; 207000 for
// other kinds of work.
int execute(ferryx_device& device, const ferryx_work& work);

int enable_peer(ferryx_device& device, ferryx_device& peer);
int disable_peer(ferryx_device& device, ferryx_device& peer);
// Whether kernels of `device` may access memory of the device with this index.
bool reaches(const ferryx_device& device, int other);

}  // namespace ferry::cuda
