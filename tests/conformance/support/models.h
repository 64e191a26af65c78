// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of captured models: codes, models that destroy themselves, and captures.
#pragma once

#include "support/streams.h"

#include <atomic>
#include <utility>

namespace conformance::models {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::kTaskFailed;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kModelOfOtherContext = 107004;
constexpr aclError kBound = 107005;
constexpr aclError kDependency = 107024;
constexpr aclError kUnjoined = 107025;
constexpr aclError kModelCaptured = 107026;
constexpr aclError kStreamCaptured = 107027;
constexpr aclError kEventCaptured = 107028;
constexpr aclError kNotCaptured = 107029;
constexpr aclError kUnsafe = 107030;
constexpr aclError kImplicit = 107031;
constexpr aclError kConflict = 107032;
constexpr aclError kUnmatched = 107036;
constexpr aclError kWrongThread = 107038;
constexpr aclError kUnsafeAsync = 107041;
constexpr aclError kInternal = 507000;
constexpr aclError kCannotExecute = 507011;
constexpr aclError kInvalidated = 507903;

constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr auto kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

constexpr uint32_t kCpuSchedule = ACL_STREAM_CPU_SCHEDULE;
constexpr uint32_t kDeviceUseOnly = ACL_STREAM_DEVICE_USE_ONLY;
constexpr uint32_t kPersistent = ACL_STREAM_PERSISTENT;

// A model that destroys itself.
class Model {
 public:
  Model() = default;
  explicit Model(aclmdlRI handle) : handle_(handle) {}
  ~Model() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclmdlRIDestroy(handle_));
    }
  }
  Model(Model&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Model& operator=(Model&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  operator aclmdlRI() const { return handle_; }
  aclmdlRI release() { return std::exchange(handle_, nullptr); }

 private:
  aclmdlRI handle_ = nullptr;
};

// Captures what `body` queues.
template <class Body>
Model capture(aclrtStream stream, Body body, aclmdlRICaptureMode mode = kRelaxed) {
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
  body();
  EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
  EXPECT_NE(nullptr, model);
  return Model(model);
}

// Ends a capture, whatever its state.
inline void discard(aclrtStream stream) {
  aclmdlRI model = nullptr;
  if (aclmdlRICaptureEnd(stream, &model) == ACL_SUCCESS) {
    EXPECT_OK(aclmdlRIDestroy(model));
  }
  clear_errors();
}

inline aclmdlRICaptureStatus status_of(aclrtStream stream) {
  auto status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, nullptr));
  return status;
}

inline aclmdlRI model_of(aclrtStream stream) {
  aclmdlRI model = &model;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &model));
  return model;
}

// A handle of a model that was destroyed.
inline aclmdlRI dead_model(aclrtStream stream) {
  return [&] {
    Model model = capture(stream, [] {});
    aclmdlRI handle = model.release();
    EXPECT_OK(aclmdlRIDestroy(handle));
    return handle;
  }();
}

// Counts how often a host function was called.
class Counter {
 public:
  aclError queue(aclrtStream stream) { return aclrtLaunchHostFunc(stream, count, this); }
  static void count(void* self) { static_cast<Counter*>(self)->calls_.fetch_add(1); }
  int calls() const { return calls_.load(); }

 private:
  std::atomic<int> calls_{0};
};

// A model of two streams: record, copy, wait on the first; wait, copy, record on the second.
struct Forked {
  explicit Forked(aclrtStream stream)
      : model(capture(stream, [&] {
          EXPECT_OK(aclrtRecordEvent(fork, stream));
          EXPECT_OK(aclrtStreamWaitEvent(side, fork));
          EXPECT_OK(side_mark.queue(side));
          EXPECT_OK(main_mark.queue(stream));
          EXPECT_OK(aclrtRecordEvent(back, side));
          EXPECT_OK(aclrtStreamWaitEvent(stream, back));
        })) {}

  aclrtStream stream(size_t index) const {
    aclrtStream streams[2] = {};
    uint32_t count = 2;
    EXPECT_OK(aclmdlRIGetStreams(model, streams, &count));
    return streams[index];
  }
  aclmdlRITask task(size_t lane, size_t index) const {
    aclmdlRITask tasks[3] = {};
    uint32_t count = 3;
    EXPECT_OK(aclmdlRIGetTasksByStream(stream(lane), tasks, &count));
    return tasks[index];
  }

  Stream side;
  Event fork = Event::ex();
  Event back = Event::ex();
  Mark main_mark;
  Mark side_mark;
  Model model;
};

}  // namespace conformance::models
