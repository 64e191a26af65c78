// SPDX-License-Identifier: Apache-2.0
// Implements lines and points with CUDA streams and events.
#include "backends/cuda/queue/cuda_line.h"

#include "backends/cuda/memory/memory.h"
#include "backends/cuda/plugin/driver_calls.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/queue/priority.h"
#include "base/pause.h"

#include <utility>

namespace ferry::cuda {
namespace {

constexpr const char* kRunning = "running the work of a stream";
// How long to poll a launch's completion words before asking CUDA, which alone knows that a device
// has failed. For a longer launch, a microsecond does not matter.
constexpr std::chrono::milliseconds kWatched{2};

// Whether work is done. On a failed device all work is. Once the process is ending, the state in
// which CUDA was shut down decides.
template <class Query>
Trouble ask(ferryx_device& device, Query query, bool& is_over) {
  const Gate::Pass pass(gate);
  if (!pass) {
    const Gate::State state = gate.state();
    is_over = state != Gate::State::kClosing;
    return is_over ? end_of_work(state) : Trouble();
  }
  const cudaError_t result = insist(query);
  is_over = result != cudaErrorNotReady;
  if (is_over) return device.check(result, kRunning);
  cudaGetLastError();
  return {};
}

template <class Synchronize>
Trouble wait(ferryx_device& device, Synchronize synchronize) {
  const Gate::Pass pass(gate);
  return pass ? device.check(insist(synchronize), kRunning) : end_of_work(gate.wait_until_closed());
}

// A recorded CUDA event.
class CudaPoint final : public Point {
 public:
  CudaPoint(ferryx_device& device, cudaEvent_t event, std::shared_ptr<const Anchor> anchor)
      : device_(device), event_(event), anchor_(std::move(anchor)) {}
  ~CudaPoint() override { device_.events.give_back(event_); }
  CudaPoint(const CudaPoint&) = delete;
  CudaPoint& operator=(const CudaPoint&) = delete;

  cudaEvent_t event() const { return event_; }

  Trouble query(bool& is_passed) override {
    return ask(
        device_, [&] { return cudaEventQuery(event_); }, is_passed);
  }
  Trouble synchronize() override {
    return wait(device_, [&] { return cudaEventSynchronize(event_); });
  }
  Trouble nanoseconds(uint64_t& time) override {
    return device_.call("reading an event's time",
                        [&] { return DeviceClock::time_of(event_, *anchor_, time); });
  }

 private:
  ferryx_device& device_;
  const cudaEvent_t event_;
  const std::shared_ptr<const Anchor> anchor_;
};

}  // namespace

CudaLine::~CudaLine() {
  const Gate::Pass pass(gate);
  if (stream_ == nullptr || !pass) return;
  device_.streams.remove(stream_);
  log_trouble(
      device_.check(insist([&] { return cudaStreamDestroy(stream_); }), "destroying a stream"));
}

Trouble CudaLine::open(uint32_t priority) {
  const int urgency = cuda_priority(priority, device_.most_urgent, device_.least_urgent);
  return device_.call_here("creating a stream", [&] {
    const cudaError_t error =
        cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgency);
    if (error == cudaSuccess) device_.streams.add(stream_);
    return error;
  });
}

template <class Call>
Trouble CudaLine::submit(const char* doing, Call into_cuda) {
  latest_.store(Ticket(), std::memory_order_release);
  return device_.call_here(doing, into_cuda);
}

Trouble CudaLine::copy(const ferryx_copies& copies) {
  return submit("a copy", [&] {
    return (copies.flags & FERRYX_COPY_CAPTURE) != 0 ? device_.transfers->capture(stream_, copies)
                                                     : device_.transfers->copy(stream_, copies);
  });
}

Trouble CudaLine::copy_columns(const ferryx_columns& columns) {
  Ticket last;
  Trouble trouble = submit("a batch of copies",
                           [&] { return device_.transfers->copy_columns(stream_, columns, last); });
  if (trouble.ok()) latest_.store(last, std::memory_order_release);
  return trouble;
}

Trouble CudaLine::copy_2d(const ferryx_rows& rows) {
  return submit("a 2D copy", [&] { return device_.transfers->copy_2d(stream_, rows); });
}

Trouble CudaLine::fill(const ferryx_fill& fill) {
  return submit("a fill", [&] { return device_.transfers->fill(stream_, fill); });
}

Trouble CudaLine::copy_described(const void* descriptor, FaultSlot* slot) {
  return submit("a copy with a descriptor", [&] {
    device_.refresh_live_ranges();
    return device_.transfers->copy_described(stream_, descriptor, device_.live, slot);
  });
}

Trouble CudaLine::copy_indirect(const ferryx_indirect& copy, FaultSlot* slot) {
  return submit("a copy with offsets", [&] {
    device_.refresh_live_ranges();
    return device_.transfers->copy_indirect(stream_, copy, device_.live, slot);
  });
}

Trouble CudaLine::record(std::unique_ptr<Point>& made) {
  return submit("recording an event", [&] {
    cudaEvent_t event = nullptr;
    cudaError_t error = device_.events.take(event);
    if (error != cudaSuccess) return error;
    auto point = std::make_unique<CudaPoint>(device_, event, device_.clock.anchor());
    error = cudaEventRecord(event, stream_);
    if (error == cudaSuccess) made = std::move(point);
    return error;
  });
}

Trouble CudaLine::await(Point& point) {
  const cudaEvent_t event = static_cast<CudaPoint&>(point).event();
  return submit("waiting for an event", [&] { return cudaStreamWaitEvent(stream_, event, 0); });
}

Trouble CudaLine::query(bool& is_idle) {
  return ask(
      device_, [&] { return is_latest_done() ? cudaSuccess : cudaStreamQuery(stream_); }, is_idle);
}

bool CudaLine::is_latest_done() const {
  const Ticket latest = latest_.load(std::memory_order_acquire);
  return latest.is_one() && device_.transfers->is_done(latest);
}

bool CudaLine::wait_for_latest() const {
  const Ticket latest = latest_.load(std::memory_order_acquire);
  if (!latest.is_one()) return false;
  const Clock::time_point end = Clock::now() + kWatched;
  do {
    if (device_.transfers->is_done(latest)) return true;
    pause_processor();
  } while (Clock::now() < end);
  return false;
}

Trouble CudaLine::synchronize() {
  return wait(device_,
              [&] { return wait_for_latest() ? cudaSuccess : ferry::cuda::synchronize(stream_); });
}

Trouble CudaLine::take_slot(FaultSlot*& slot) {
  return device_.call("allocating a fault slot", [&] { return device_.slots.take(slot); });
}

void CudaLine::give_back(FaultSlot* slot) {
  device_.slots.give_back(slot);
}

ReaderLock& CudaLine::memory_lock() {
  return live_memory().lock();
}

}  // namespace ferry::cuda
