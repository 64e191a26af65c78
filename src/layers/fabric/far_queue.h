// SPDX-License-Identifier: Apache-2.0
// A queue of the fabric's front, and its tasks that use memory of other hosts.
#pragma once

#include "layers/fabric/job.h"
#include "layers/front/front.h"

#include "ferry/backend.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ferry::layers::fabric {

// The runtime services; set when the first backend is opened.
extern std::atomic<const ferryx_runtime*> runtime_of_front;

struct FarQueue : Wrapped<ferryx_queue> {
  FarQueue(const ferryx_backend* backend, const ferryx_queue_settings& settings)
      : Wrapped(backend, nullptr), cookie(settings.cookie) {}

  void begin_task();
  void end_task();
  // Faults of tasks that began before count no more. Returns when no byte of them moves.
  void cut_and_wait();
  uint64_t cuts();

  void* const cookie;

 private:
  std::mutex mutex_;  // guards the members below
  std::condition_variable is_idle_;
  uint64_t running_ = 0;
  uint64_t cuts_ = 0;
};

// Queues work that uses memory of other hosts.
int submit_far(FarQueue& queue, const ferryx_work& work);
// Executes it during the call.
int execute_far(const ferryx_work& work);

// Whether some of the work of a device of this backend uses memory of other hosts. Work that reads
// its addresses when it executes may, if code of the host can read them, too.
bool may_be_far(const ferryx_work& work, const ferryx_backend& backend);

}  // namespace ferry::layers::fabric
