// SPDX-License-Identifier: Apache-2.0
// The execution of plans.
#include "replay/runner.h"

#include <fmt/format.h>

#include <chrono>
#include <latch>
#include <set>
#include <thread>
#include <utility>

namespace ferry::tools::replay {
namespace {

using Clock = std::chrono::steady_clock;
using trace::Direction;

aclrtMemcpyKind kind_of(Direction direction) {
  switch (direction) {
    case Direction::kHostToHost:
      return ACL_MEMCPY_HOST_TO_HOST;
    case Direction::kHostToDevice:
      return ACL_MEMCPY_HOST_TO_DEVICE;
    case Direction::kDeviceToHost:
      return ACL_MEMCPY_DEVICE_TO_HOST;
    default:
      return ACL_MEMCPY_DEVICE_TO_DEVICE;
  }
}

// Sleeps for what is long, and looks at the clock for the rest.
void pause_for(int64_t ns) {
  constexpr int64_t kWakeUp = 200000;
  const Clock::time_point end = Clock::now() + std::chrono::nanoseconds(ns);
  if (ns > kWakeUp) std::this_thread::sleep_until(end - std::chrono::nanoseconds(kWakeUp));
  while (Clock::now() < end) {
  }
}

}  // namespace

Runner::~Runner() {
  for (const aclrtEvent event : events_)
    static_cast<void>(aclrtDestroyEvent(event));
  for (const aclrtStream stream : streams_)
    static_cast<void>(aclrtDestroyStream(stream));
}

std::string Runner::prepare() {
  for (const auto create :
       {&Runner::create_streams, &Runner::create_events, &Runner::enable_peers}) {
    if (std::string wrong = (this->*create)(); !wrong.empty()) return wrong;
  }
  lay_out_items();
  of_thread_.resize(plan_.threads);
  place_.resize(plan_.steps.size());
  for (uint32_t i = 0; i < plan_.steps.size(); ++i) {
    std::vector<uint32_t>& steps = of_thread_[plan_.steps[i].thread];
    place_[i] = static_cast<uint32_t>(steps.size());
    steps.push_back(i);
  }
  submitted_ = std::make_unique<std::atomic<uint32_t>[]>(plan_.threads);
  return {};
}

std::string Runner::create_streams() {
  for (const PlanStream& recorded : plan_.streams) {
    if (const aclError code = aclrtSetDevice(recorded.device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    aclrtStream stream = nullptr;
    if (const aclError code = aclrtCreateStream(&stream); code != ACL_SUCCESS)
      return failure_text("aclrtCreateStream", code);
    streams_.push_back(stream);
  }
  return {};
}

// On the device of its first record.
std::string Runner::create_events() {
  std::vector<int32_t> devices(plan_.events, 0);
  std::vector<bool> is_known(plan_.events, false);
  for (const Step& step : plan_.steps) {
    if (step.action != Action::kRecord || is_known[step.event]) continue;
    devices[step.event] = step.device;
    is_known[step.event] = true;
  }
  for (const int32_t device : devices) {
    if (const aclError code = aclrtSetDevice(device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    aclrtEvent event = nullptr;
    if (const aclError code = aclrtCreateEvent(&event); code != ACL_SUCCESS)
      return failure_text("aclrtCreateEvent", code);
    events_.push_back(event);
  }
  return {};
}

// Copies between two devices need it on some products.
std::string Runner::enable_peers() {
  std::set<std::pair<int32_t, int32_t>> pairs;
  for (const CopyItem& item : plan_.items) {
    const Region& to = plan_.regions[item.dst.region];
    const Region& from = plan_.regions[item.src.region];
    if (to.place != Place::kDevice || from.place != Place::kDevice || to.device == from.device)
      continue;
    pairs.emplace(to.device, from.device);
    pairs.emplace(from.device, to.device);
  }
  for (const auto& [device, peer] : pairs) {
    if (const aclError code = aclrtSetDevice(device); code != ACL_SUCCESS)
      return failure_text("aclrtSetDevice", code);
    // It may be enabled already. A copy that cannot go says so.
    static_cast<void>(aclrtDeviceEnablePeerAccess(peer, 0));
  }
  return {};
}

void Runner::lay_out_items() {
  for (const CopyItem& item : plan_.items) {
    targets_.push_back(memory_.at(item.dst));
    sources_.push_back(memory_.at(item.src));
    sizes_.push_back(item.size);
  }
}

std::string Runner::run(bool keeps_pauses, double& ns) {
  keeps_pauses_ = keeps_pauses;
  for (uint32_t i = 0; i < plan_.threads; ++i)
    submitted_[i].store(0, std::memory_order_relaxed);
  Clock::time_point begin;
  if (plan_.threads == 1) {
    begin = Clock::now();
    run_thread(0);
  } else {
    std::latch start(plan_.threads + 1);
    std::latch end(plan_.threads + 1);
    std::vector<std::jthread> threads;
    for (uint32_t i = 0; i < plan_.threads; ++i) {
      threads.emplace_back([this, i, &start, &end] {
        start.arrive_and_wait();
        run_thread(i);
        end.arrive_and_wait();
      });
    }
    start.arrive_and_wait();
    begin = Clock::now();
    end.arrive_and_wait();
  }
  std::string wrong = synchronize_devices();
  ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  const std::lock_guard lock(mutex_);
  return failure_.empty() ? wrong : failure_;
}

std::string Runner::synchronize_devices() {
  std::string wrong;
  for (int32_t device = 0; device < plan_.devices; ++device) {
    const aclError set = aclrtSetDevice(device);
    const aclError code = set == ACL_SUCCESS ? aclrtSynchronizeDevice() : set;
    if (code != ACL_SUCCESS) wrong = failure_text("aclrtSynchronizeDevice", code);
  }
  return wrong;
}

void Runner::run_thread(uint32_t thread) {
  int32_t device = -1;
  uint32_t done = 0;
  for (const uint32_t index : of_thread_[thread]) {
    const Step& step = plan_.steps[index];
    if (keeps_pauses_ && step.pause > 0) pause_for(step.pause);
    if (!wait_for(step.after_record) || !wait_for(step.after_stream)) return;
    const char* function = "aclrtSetDevice";
    aclError code = step.device == device ? ACL_SUCCESS : aclrtSetDevice(step.device);
    device = step.device;
    if (code == ACL_SUCCESS) code = execute(step, function);
    if (code != ACL_SUCCESS) return fail(failure_text(function, code));
    submitted_[thread].store(++done, std::memory_order_release);
  }
}

// False when the step will never be submitted.
bool Runner::wait_for(uint32_t step) const {
  if (step == kNoIndex) return true;
  const std::atomic<uint32_t>& submitted = submitted_[plan_.steps[step].thread];
  while (submitted.load(std::memory_order_acquire) <= place_[step]) {
    if (has_failed_.load(std::memory_order_relaxed)) return false;
    std::this_thread::yield();
  }
  return true;
}

void Runner::fail(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = text;
  has_failed_.store(true, std::memory_order_relaxed);
}

aclError Runner::execute(const Step& step, const char*& function) {
  switch (step.action) {
    case Action::kCopy:
      return execute_copy(step, function);
    case Action::kBatch:
      return execute_batch(step, function);
    case Action::kRows:
      return execute_rows(step, function);
    case Action::kFill:
      return execute_fill(step, function);
    case Action::kRecord:
      function = "aclrtRecordEvent";
      return aclrtRecordEvent(events_[step.event], streams_[step.stream]);
    case Action::kWait:
      function = "aclrtStreamWaitEvent";
      return aclrtStreamWaitEvent(streams_[step.stream], events_[step.event]);
    case Action::kSynchronizeStream:
      function = "aclrtSynchronizeStream";
      return aclrtSynchronizeStream(streams_[step.stream]);
    case Action::kSynchronizeEvent:
      function = "aclrtSynchronizeEvent";
      return aclrtSynchronizeEvent(events_[step.event]);
    case Action::kSynchronizeDevice:
      break;
  }
  function = "aclrtSynchronizeDevice";
  return aclrtSynchronizeDevice();
}

aclError Runner::execute_copy(const Step& step, const char*& function) {
  const uint32_t i = step.first_item;
  const aclrtMemcpyKind kind = kind_of(step.direction);
  function = step.is_async ? "aclrtMemcpyAsync" : "aclrtMemcpy";
  return step.is_async ? aclrtMemcpyAsync(targets_[i], sizes_[i], sources_[i], sizes_[i], kind,
                                          streams_[step.stream])
                       : aclrtMemcpy(targets_[i], sizes_[i], sources_[i], sizes_[i], kind);
}

aclError Runner::execute_batch(const Step& step, const char*& function) {
  const uint32_t i = step.first_item;
  const bool is_in = step.direction == Direction::kHostToDevice;
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = is_in ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
  attribute.srcLoc.type = is_in ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  (is_in ? attribute.dstLoc : attribute.srcLoc).id = static_cast<uint32_t>(step.device);
  size_t first = 0;
  size_t at_fault = 0;
  function = step.is_async ? "aclrtMemcpyBatchAsync" : "aclrtMemcpyBatch";
  return step.is_async
             ? aclrtMemcpyBatchAsync(&targets_[i], &sizes_[i], &sources_[i], &sizes_[i], step.items,
                                     &attribute, &first, 1, &at_fault, streams_[step.stream])
             : aclrtMemcpyBatch(&targets_[i], &sizes_[i], &sources_[i], &sizes_[i], step.items,
                                &attribute, &first, 1, &at_fault);
}

aclError Runner::execute_rows(const Step& step, const char*& function) const {
  const uint32_t i = step.first_item;
  const aclrtMemcpyKind kind = kind_of(step.direction);
  function = step.is_async ? "aclrtMemcpy2dAsync" : "aclrtMemcpy2d";
  return step.is_async
             ? aclrtMemcpy2dAsync(targets_[i], step.dst_pitch, sources_[i], step.src_pitch,
                                  sizes_[i], step.rows, kind, streams_[step.stream])
             : aclrtMemcpy2d(targets_[i], step.dst_pitch, sources_[i], step.src_pitch, sizes_[i],
                             step.rows, kind);
}

aclError Runner::execute_fill(const Step& step, const char*& function) const {
  const uint32_t i = step.first_item;
  function = step.is_async ? "aclrtMemsetAsync" : "aclrtMemset";
  return step.is_async ? aclrtMemsetAsync(targets_[i], sizes_[i], kFillValue, sizes_[i],
                                          streams_[step.stream])
                       : aclrtMemset(targets_[i], sizes_[i], kFillValue, sizes_[i]);
}

}  // namespace ferry::tools::replay
