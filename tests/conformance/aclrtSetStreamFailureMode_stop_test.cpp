// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamFailureMode: a context in stop mode after one of its tasks failed.
#include "support/streams.h"

#include <pthread.h>

#include <atomic>
#include <optional>

namespace conformance::aclrtSetStreamFailureMode_stop_test {
namespace {

using streams::BadCopy;
using streams::current_context;
using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::kNotSupported;
using streams::kTaskFailed;
using streams::Mark;
using streams::Notify;
using streams::OtherContext;
using streams::Stream;
using streams::TwoFailures;

// The test works in its own context, which one of its two streams has put into stop mode.
class AclrtSetStreamFailureModeStop : public WithDevice {
 protected:
  void SetUp() override {
    WithDevice::SetUp();
    if (HasFatalFailure()) return;
    outer_ = current_context();
    bad_.emplace();
    mark_.emplace();
    ASSERT_OK(aclrtCreateContext(&inner_, 0));
    ASSERT_OK(aclrtCreateStream(&first_));
    ASSERT_OK(aclrtCreateStream(&second_));
    ASSERT_OK(aclrtSetStreamFailureMode(first_, ACL_STOP_ON_FAILURE));
  }
  void TearDown() override {
    if (inner_ != nullptr) {
      EXPECT_OK(aclrtSetCurrentContext(outer_));
      EXPECT_OK(aclrtDestroyContext(inner_));
    }
    bad_.reset();
    mark_.reset();
    clear_errors();
    WithDevice::TearDown();
  }

  // Makes a task of `stream` fail and waits until it has.
  void fail_on(aclrtStream stream) {
    EXPECT_OK(bad_->queue(stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream));
  }

  aclrtContext outer_ = nullptr;
  aclrtContext inner_ = nullptr;
  aclrtStream first_ = nullptr;
  aclrtStream second_ = nullptr;
  std::optional<BadCopy> bad_;
  std::optional<Mark> mark_;
};

TEST_F(AclrtSetStreamFailureModeStop, ChangesNothingBeforeAFailure) {
  EXPECT_OK(mark_->queue(first_));
  EXPECT_OK(aclrtSynchronizeStream(first_));
  EXPECT_TRUE(mark_->is_reached());
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(first_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_F(AclrtSetStreamFailureModeStop, ReturnsTheFailureFromEverySynchronisation) {
  fail_on(first_);
  for (const aclrtStream stream : {first_, second_, aclrtStream{nullptr}}) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream));
      EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, 1));
      EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, -1));
    }
  }
  EXPECT_EQ(kTaskFailed, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
}

TEST_F(AclrtSetStreamFailureModeStop, ReturnsTheFailureFromEveryQuery) {
  fail_on(first_);
  for (const aclrtStream stream : {first_, second_, aclrtStream{nullptr}}) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_FAILS_WITH(kTaskFailed, aclrtStreamQuery(stream, &status));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtStreamQuery(stream, &status));
  }
}

TEST_F(AclrtSetStreamFailureModeStop, ReturnsTheFailureFromEverySubmission) {
  const Event recorded = Event::with_flag();
  const Event event = Event::plain();
  const Notify notify;
  PinnedBuffer host(64);
  DeviceBuffer device(64);
  device.write(pattern(64, 3));
  std::vector<uint8_t> pageable = pattern(64, 4);
  EXPECT_OK(aclrtRecordEvent(recorded, second_));
  fail_on(first_);
  const auto nothing = [](void*) { ADD_FAILURE() << "must not run"; };
  for (const aclrtStream stream : {first_, second_, aclrtStream{nullptr}}) {
    EXPECT_FAILS_WITH(kTaskFailed, aclrtMemcpyAsync(device.get(), 64, host.get(), 64,
                                                    ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtMemcpyAsync(device.get(), 64, pageable.data(), 64,
                                                    ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtMemcpy2dAsync(device.get(), 8, host.get(), 8, 8, 8,
                                                      ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtMemsetAsync(device.get(), 64, 0, 64, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtRecordEvent(event, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtRecordNotify(notify, stream));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtWaitAndResetNotify(notify, stream, 0));
    EXPECT_FAILS_WITH(kTaskFailed, aclrtLaunchHostFunc(stream, nothing, nullptr));
  }
  EXPECT_EQ(pattern(64, 3), device.read()) << "nothing may be copied after the failure";
}

TEST_F(AclrtSetStreamFailureModeStop, ARefusedHostFunctionDoesNotClaimItsStream) {
  fail_on(first_);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtLaunchHostFunc(
                                     second_, [](void*) {}, nullptr));
  const auto self = static_cast<uint64_t>(pthread_self());
  EXPECT_OK(aclrtSubscribeReport(self, second_));
  EXPECT_OK(aclrtUnSubscribeReport(self, second_));
}

TEST_F(AclrtSetStreamFailureModeStop, DoesNotRunLaterTasksOfTheStream) {
  std::atomic<int> calls = 0;
  {
    Hold hold(first_);
    EXPECT_OK(bad_->queue(first_));
    EXPECT_OK(mark_->queue(first_));
    EXPECT_OK(aclrtLaunchHostFunc(
        first_, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls));
    hold.release();
  }
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
  EXPECT_FALSE(mark_->is_reached());
  EXPECT_EQ(0, calls);
}

TEST_F(AclrtSetStreamFailureModeStop, RunsTheTasksBeforeTheFailure) {
  EXPECT_OK(mark_->queue(first_));
  fail_on(first_);
  EXPECT_TRUE(mark_->is_reached());
}

TEST_F(AclrtSetStreamFailureModeStop, DoesNotRunLaterTasksOfOtherStreams) {
  const Event event = Event::ex();
  Hold hold(first_);
  EXPECT_OK(bad_->queue(first_));
  EXPECT_OK(aclrtRecordEvent(event, first_));
  EXPECT_OK(aclrtStreamWaitEvent(second_, event));
  EXPECT_OK(mark_->queue(second_));
  hold.release();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(second_));
  EXPECT_FALSE(mark_->is_reached());
}

TEST_F(AclrtSetStreamFailureModeStop, EndsStreamsThatWaitForAnEventOfNobody) {
  const Event never = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(second_, never));
  EXPECT_OK(mark_->queue(second_));
  fail_on(first_);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(second_));
  EXPECT_FALSE(mark_->is_reached());
}

TEST_F(AclrtSetStreamFailureModeStop, HoldsForTheWholeContextWhicheverStreamFails) {
  fail_on(second_);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtSetStreamFailureModeStop, HoldsForADefaultStreamThatFails) {
  fail_on(nullptr);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
  EXPECT_EQ(kTaskFailed, mark_->queue(second_));
}

TEST_F(AclrtSetStreamFailureModeStop, HoldsOnEveryThreadOfTheContext) {
  fail_on(first_);
  streams::on_threads(4, [&](int) {
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(second_));
    EXPECT_EQ(kTaskFailed, mark_->queue(second_));
  });
}

TEST_F(AclrtSetStreamFailureModeStop, HoldsForStreamsMadeLater) {
  fail_on(first_);
  const Stream later;
  EXPECT_EQ(kTaskFailed, mark_->queue(later));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(later));
}

TEST_F(AclrtSetStreamFailureModeStop, ReturnsTheFirstFailure) {
  TwoFailures failures;
  failures.queue(first_, TwoFailures::Order::kCallbackFirst);
  EXPECT_FAILS_WITH(TwoFailures::kCallbackFailed, aclrtSynchronizeStream(first_));
  EXPECT_FAILS_WITH(TwoFailures::kCallbackFailed, aclrtSynchronizeStream(first_));
  EXPECT_EQ(TwoFailures::kCallbackFailed, mark_->queue(second_));
}

TEST_F(AclrtSetStreamFailureModeStop, ReturnsTheFirstFailureInTheOtherOrder) {
  TwoFailures failures;
  failures.queue(first_, TwoFailures::Order::kCopyFirst);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
}

TEST_F(AclrtSetStreamFailureModeStop, LeavesOtherContextsAlone) {
  fail_on(first_);
  const Inside inside(outer_);
  EXPECT_OK(mark_->queue(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark_->is_reached());
  // A failure there is still reported only once.
  EXPECT_OK(bad_->queue(nullptr));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtSetStreamFailureModeStop, IsSeenFromAnotherContextThatWaitsForAStreamOfThisOne) {
  fail_on(first_);
  const Inside inside(outer_);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(second_));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_FAILS_WITH(kTaskFailed, aclrtStreamQuery(second_, &status));
  EXPECT_OK(aclrtStreamQuery(nullptr, &status));
}

TEST_F(AclrtSetStreamFailureModeStop, CannotBeTakenBack) {
  fail_on(first_);
  EXPECT_FAILS(kNotSupported, "EE1016", aclrtSetStreamFailureMode(first_, 0));
  // Whatever mode another stream is given, the context stays as it is.
  aclrtSetStreamFailureMode(second_, 0);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(second_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(first_));
}

TEST_F(AclrtSetStreamFailureModeStop, DoesNotConcernAFailureThatWasFetchedBefore) {
  const Inside inside(outer_);
  const Stream stream;
  EXPECT_OK(bad_->queue(stream));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  EXPECT_OK(mark_->queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark_->is_reached());
}

TEST_F(AclrtSetStreamFailureModeStop, LetsStreamsAndEventsBeDestroyed) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, second_));
  fail_on(first_);
  EXPECT_OK(aclrtDestroyStream(second_));
  EXPECT_OK(aclrtDestroyStreamForce(first_));
}

TEST_F(AclrtSetStreamFailureModeStop, EndsWithTheContext) {
  {
    const Inside inside(outer_);
    EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
    fail_on(nullptr);
  }
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(mark_->queue(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark_->is_reached());
  outer_ = current_context();
}

TEST_F(AclrtSetStreamFailureModeStop, ReachesThreadsThatAlreadyWait) {
  for (int i = 0; i < 4; ++i) {
    OtherContext other;
    const Inside inside(other);
    const Stream failing;
    const Stream waiting;
    EXPECT_OK(aclrtSetStreamFailureMode(failing, ACL_STOP_ON_FAILURE));
    const Event never = Event::with_flag();
    EXPECT_OK(aclrtStreamWaitEvent(waiting, never));
    std::thread waiter = streams::start_in(
        other, [&] { EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(waiting)); });
    fail_on(failing);
    waiter.join();
  }
}

}  // namespace
}  // namespace conformance::aclrtSetStreamFailureMode_stop_test
