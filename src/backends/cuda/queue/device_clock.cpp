// SPDX-License-Identifier: Apache-2.0
// Anchors are recorded on a separate stream every few seconds, and only while events are recorded.
#include "backends/cuda/queue/device_clock.h"

#include "backends/cuda/plugin/cuda_call.h"
#include "backends/cuda/plugin/current_device.h"
#include "backends/cuda/plugin/gate.h"

#include <cmath>
#include <utility>

namespace ferry::cuda {
namespace {

// Up to this age a float of milliseconds resolves less than half a microsecond, which is CUDA's own
// resolution.
constexpr std::chrono::seconds kAnchorLife{4};

}  // namespace

Anchor::~Anchor() {
  const Gate::Pass pass(gate);
  if (event != nullptr && pass) insist([&] { return cudaEventDestroy(event); });
}

cudaError_t DeviceClock::start() {
  const std::lock_guard lock(mutex_);
  const CurrentDevice current(device_);
  cudaError_t error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = record_next();
  if (error == cudaSuccess) error = cudaEventSynchronize(next_->event);
  if (error != cudaSuccess) return error;
  // All devices count from the same zero, as far as the host can measure.
  next_->nanoseconds = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
          .count());
  current_ = std::move(next_);
  return cudaSuccess;
}

cudaError_t DeviceClock::record_next() {
  const CurrentDevice current(device_);
  auto made = std::make_shared<Anchor>();
  cudaError_t error = cudaEventCreate(&made->event);
  if (error == cudaSuccess) error = cudaEventRecord(made->event, stream_);
  if (error == cudaSuccess) next_ = std::move(made);
  recorded_at_ = Clock::now();
  return error;
}

void DeviceClock::take_over_next() {
  if (cudaEventQuery(next_->event) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  if (time_of(next_->event, *current_, next_->nanoseconds) == cudaSuccess) {
    current_ = std::move(next_);
  }
  next_.reset();
}

std::shared_ptr<const Anchor> DeviceClock::anchor() {
  const std::lock_guard lock(mutex_);
  if (next_ != nullptr) take_over_next();
  // If no new anchor can be recorded, the old one stays in use, less exactly.
  if (next_ == nullptr && Clock::now() - recorded_at_ > kAnchorLife) {
    if (record_next() != cudaSuccess) cudaGetLastError();
  }
  return current_;
}

cudaError_t DeviceClock::time_of(cudaEvent_t event, const Anchor& anchor, uint64_t& nanoseconds) {
  float milliseconds = 0;
  const cudaError_t error = cudaEventElapsedTime(&milliseconds, anchor.event, event);
  if (error != cudaSuccess) return error;
  nanoseconds = anchor.nanoseconds +
                static_cast<uint64_t>(std::llround(static_cast<double>(milliseconds) * 1e6));
  return cudaSuccess;
}

}  // namespace ferry::cuda
