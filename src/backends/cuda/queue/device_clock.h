// SPDX-License-Identifier: Apache-2.0
// The clock of a device: the time of CUDA events in nanoseconds. CUDA reports the time between two
// events as a float of milliseconds, which is precise for seconds and coarse for hours. So events
// are measured against a recent one, the anchor.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

namespace ferry::cuda {

// An event whose time is known.
struct Anchor {
  cudaEvent_t event = nullptr;
  uint64_t nanoseconds = 0;

  Anchor() = default;
  ~Anchor();
  Anchor(const Anchor&) = delete;
  Anchor& operator=(const Anchor&) = delete;
};

// May be shared between threads; never destroyed once it was started.
class DeviceClock {
 public:
  explicit DeviceClock(int device) : device_(device) {}

  cudaError_t start();
  // The anchor for an event that is about to be recorded: completed already, and recent.
  std::shared_ptr<const Anchor> anchor();
  static cudaError_t time_of(cudaEvent_t event, const Anchor& anchor, uint64_t& nanoseconds);

 private:
  using Clock = std::chrono::steady_clock;
  cudaError_t record_next();  // with the lock held
  void take_over_next();      // with the lock held

  const int device_;
  std::mutex mutex_;  // guards the members below
  cudaStream_t stream_ = nullptr;
  std::shared_ptr<Anchor> current_;
  std::shared_ptr<Anchor> next_;     // recorded, perhaps not completed yet
  Clock::time_point recorded_at_{};  // the latest anchor
};

}  // namespace ferry::cuda
