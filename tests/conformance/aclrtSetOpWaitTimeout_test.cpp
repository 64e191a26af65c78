// SPDX-License-Identifier: Apache-2.0
// aclrtSetOpWaitTimeout: the time limit of waits without one of their own. It is process-wide, so
// its effect is tested in separate processes.
#include "support/streams.h"

namespace conformance::aclrtSetOpWaitTimeout_test {
namespace {

using streams::Event;
using streams::kNoContext;
using streams::kWaitTimedOut;
using streams::Mark;
using streams::Stream;

constexpr aclError kSyncTimedOut = 507046;

using AclrtSetOpWaitTimeout = WithStream;

TEST_F(AclrtSetOpWaitTimeout, NeedsAContext) {
  on_new_thread([context = streams::current_context()] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSetOpWaitTimeout(0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSetOpWaitTimeout(1));
    streams::expect_last_error_rules(
        nullptr, [] { return aclrtSetOpWaitTimeout(1); },
        [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtSetOpWaitTimeout, Takes0ForNoLimit) {
  EXPECT_OK(aclrtSetOpWaitTimeout(0));
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

void expect_still_waiting(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
}

FERRY_PROCESS_TEST(AclrtSetOpWaitTimeoutProcess, LimitsLaterWaitsOnly) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Stream earlier;
    const Stream later;
    const Stream with_own_limit;
    const Event never = Event::with_flag();
    Mark mark;
    EXPECT_OK(aclrtStreamWaitEvent(earlier, never));
    EXPECT_OK(aclrtSetOpWaitTimeout(1));
    EXPECT_OK(aclrtStreamWaitEvent(later, never));
    EXPECT_OK(aclrtStreamWaitEventWithTimeout(with_own_limit, never, 600));
    EXPECT_OK(mark.queue(later));
    EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(later));
    EXPECT_TRUE(mark.is_reached());
    EXPECT_OK(aclrtSynchronizeStream(later));
    expect_still_waiting(earlier);
    expect_still_waiting(with_own_limit);
    EXPECT_OK(aclrtRecordEvent(never, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(earlier));
    EXPECT_OK(aclrtSynchronizeStream(with_own_limit));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtSetOpWaitTimeoutProcess, HoldsForOtherThreadsAndContexts) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const streams::OtherContext other;
    EXPECT_OK(aclrtSetOpWaitTimeout(1));
    streams::start_in(other, [] {
      const Event never = Event::with_flag();
      EXPECT_OK(aclrtStreamWaitEvent(nullptr, never));
      EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(nullptr));
    }).join();
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtSetOpWaitTimeoutProcess, CanBeTakenBack) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Stream stream;
    const Event event = Event::with_flag();
    EXPECT_OK(aclrtSetOpWaitTimeout(1));
    EXPECT_OK(aclrtSetOpWaitTimeout(0));
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1200));
    EXPECT_OK(aclrtRecordEvent(event, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtSetOpWaitTimeoutProcess, TakesTheLargestTime) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Stream stream;
    const Event event = Event::with_flag();
    EXPECT_OK(aclrtSetOpWaitTimeout(UINT32_MAX));
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
    EXPECT_OK(aclrtRecordEvent(event, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtSetOpWaitTimeoutProcess, IsTheDefaultLimitOfNotifies) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Stream limited;
    const Stream unlimited;
    const streams::Notify first;
    const streams::Notify second;
    EXPECT_OK(aclrtSetOpWaitTimeout(1));
    EXPECT_OK(aclrtWaitAndResetNotify(first, limited, UINT32_MAX));
    EXPECT_OK(aclrtWaitAndResetNotify(second, unlimited, 0));
    EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(limited));
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_OK(aclrtStreamQuery(unlimited, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
    EXPECT_OK(aclrtRecordNotify(second, limited));
    EXPECT_OK(aclrtSynchronizeStream(unlimited));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtSetOpWaitTimeout_test
