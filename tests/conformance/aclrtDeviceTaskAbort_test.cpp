// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceTaskAbort: ends the tasks of all streams of a device; the streams work afterwards.
#include "support/values.h"

#include <atomic>
#include <chrono>

namespace conformance::aclrtDeviceTaskAbort_test {
namespace {

using streams::current_context;
using streams::kBadValue;
using streams::Mark;
using streams::start_in;
using streams::Stream;
using values::DeviceValue;

constexpr aclError kTaskAbort = 107022;
constexpr aclError kTimedOut = 107019;
constexpr aclError kSyncTimedOut = 507046;
constexpr aclError kBadDevice = 107001;

using AclrtDeviceTaskAbort = WithStream;

TEST_F(AclrtDeviceTaskAbort, DropsTheTasksOfAllStreams) {
  const Stream other;
  const DeviceValue value;
  Mark first;
  Mark second;
  for (const aclrtStream stream : {stream_, static_cast<aclrtStream>(other)})
    EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_OK(first.queue(stream_));
  EXPECT_OK(second.queue(other));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_FALSE(first.is_reached());
  EXPECT_FALSE(second.is_reached());
}

TEST_F(AclrtDeviceTaskAbort, ReachesTheStreamsOfAllContexts) {
  const streams::OtherContext other;
  const streams::Inside inside(other);
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, nullptr));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtDeviceTaskAbort, LeavesStreamsThatWork) {
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 1000));
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDeviceTaskAbort, EndsTheWaitsOfThreads) {
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  std::atomic<aclError> answer{ACL_SUCCESS};
  std::atomic<bool> has_begun{false};
  std::thread waiting = start_in(current_context(), [&] {
    has_begun.store(true);
    has_begun.notify_all();
    answer = aclrtSynchronizeStream(stream_);
  });
  has_begun.wait(false);
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  waiting.join();
  // It may also have come too late to wait.
  EXPECT_TRUE(answer == kTaskAbort || answer == ACL_SUCCESS) << answer;
}

TEST_F(AclrtDeviceTaskAbort, EndsWaitsForEvents) {
  const DeviceValue value;
  const streams::Event event = streams::Event::ex();
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  std::atomic<aclError> answer{ACL_SUCCESS};
  std::atomic<bool> has_begun{false};
  std::thread waiting = start_in(current_context(), [&] {
    has_begun.store(true);
    has_begun.notify_all();
    answer = aclrtSynchronizeEvent(event);
  });
  has_begun.wait(false);
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  waiting.join();
  // A dropped record that is waited for later was aborted with its stream.
  EXPECT_TRUE(answer == kTaskAbort || answer == 107023) << answer;
}

struct Attempts {
  aclrtStream stream = nullptr;
  void* filled = nullptr;
  void* device = nullptr;
  std::vector<aclError> queued;
  std::vector<aclError> copied;
};

int32_t attempt(int32_t /*device*/, aclrtDeviceTaskAbortStage /*stage*/, uint32_t /*timeout*/,
                void* self) {
  auto& attempts = *static_cast<Attempts*>(self);
  uint64_t bytes = 0;
  attempts.queued.push_back(aclrtMemsetAsync(attempts.filled, 8, 1, 8, attempts.stream));
  attempts.copied.push_back(aclrtMemcpy(attempts.device, 8, &bytes, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  return 0;
}

TEST_F(AclrtDeviceTaskAbort, RefusesWorkMeanwhile) {
  const DeviceValue filled;
  const DeviceValue copied;
  Attempts attempts{.stream = stream_,
                    .filled = filled.get(),
                    .device = copied.get(),
                    .queued = {},
                    .copied = {}};
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("attempting", attempt, &attempts));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("attempting", nullptr, nullptr));
  EXPECT_EQ((std::vector{kTaskAbort, ACL_SUCCESS}), attempts.queued);
  EXPECT_EQ((std::vector{kTaskAbort, ACL_SUCCESS}), attempts.copied);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  clear_errors();
}

// Takes longer than the abort may.
int32_t outlast(int32_t /*device*/, aclrtDeviceTaskAbortStage /*stage*/, uint32_t timeout,
                void* /*args*/) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout + 1);
  while (std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  return 0;
}

TEST_F(AclrtDeviceTaskAbort, EndsWhenItsTimeIsOver) {
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("outlasting", outlast, nullptr));
  EXPECT_FAILS_WITH(kTimedOut, aclrtDeviceTaskAbort(0, 1));
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("outlasting", nullptr, nullptr));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
}

TEST(AclrtDeviceTaskAbortArguments, ChecksThemInOrder) {
  constexpr uint32_t kLongest = 36 * 60 * 1000;
  EXPECT_FAILS(kBadValue, "EE1003", aclrtDeviceTaskAbort(-1, kLongest + 1));
  EXPECT_FAILS(kBadDevice, "EE1003", aclrtDeviceTaskAbort(-1, kLongest));
  EXPECT_FAILS(kBadDevice, "EE1003", aclrtDeviceTaskAbort(4096, 0));
  EXPECT_OK(aclrtDeviceTaskAbort(0, kLongest)) << "there is no stream";
}

}  // namespace
}  // namespace conformance::aclrtDeviceTaskAbort_test
