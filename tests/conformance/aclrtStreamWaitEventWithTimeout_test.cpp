// SPDX-License-Identifier: Apache-2.0
// aclrtStreamWaitEventWithTimeout: like aclrtStreamWaitEvent, with a time limit in seconds.
#include "support/streams.h"

namespace conformance::aclrtStreamWaitEventWithTimeout_test {
namespace {

using streams::Event;
using streams::Inside;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::kWaitTimedOut;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kSyncTimedOut = 507046;

using AclrtStreamWaitEventWithTimeout = WithStream;

TEST_F(AclrtStreamWaitEventWithTimeout, WaitsForTheRecord) {
  const Stream waiting;
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    for (const int32_t timeout : {0, 600, INT32_MAX}) {
      Mark mark;
      streams::Hold hold(stream_);
      EXPECT_OK(aclrtRecordEvent(event, stream_));
      EXPECT_OK(aclrtStreamWaitEventWithTimeout(waiting, event, timeout));
      EXPECT_OK(mark.queue(waiting));
      EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
      EXPECT_FALSE(mark.is_reached());
      hold.release();
      EXPECT_OK(aclrtSynchronizeStream(waiting));
      EXPECT_TRUE(mark.is_reached());
    }
  }
}

TEST_F(AclrtStreamWaitEventWithTimeout, TreatsEventsThatWereNeverRecordedByTheirKind) {
  const Event ex = Event::ex();
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream_, ex, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Event plain = Event::plain();
  EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEventWithTimeout(stream_, plain, 0));
  const Event flag = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream_, flag, 0));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordEvent(flag, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamWaitEventWithTimeout, GoesOnWhenTheTimeIsOverAndKeepsAFailure) {
  // Three waits at once, so that the test takes one second and not three.
  const Stream recorded_stream;
  const Stream never_stream;
  const Stream intact;
  const Event never = Event::with_flag();
  const Event pending = Event::ex();
  Mark marks[3];
  streams::Hold hold(stream_);
  EXPECT_OK(aclrtRecordEvent(pending, stream_));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(recorded_stream, pending, 1));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(never_stream, never, 1));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(intact, pending, 0));
  EXPECT_OK(marks[0].queue(recorded_stream));
  EXPECT_OK(marks[1].queue(never_stream));
  EXPECT_OK(marks[2].queue(intact));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(recorded_stream));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStreamWithTimeout(never_stream, -1));
  EXPECT_TRUE(marks[0].is_reached());
  EXPECT_TRUE(marks[1].is_reached());
  EXPECT_FALSE(marks[2].is_reached()) << "a wait without a limit continues";
  // The failure was reported, and the streams work as before.
  EXPECT_OK(aclrtSynchronizeStream(recorded_stream));
  EXPECT_OK(aclrtSynchronizeStream(never_stream));
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(intact));
  EXPECT_TRUE(marks[2].is_reached());
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(recorded_stream, pending, 1));
  EXPECT_OK(aclrtSynchronizeStream(recorded_stream));
}

TEST_F(AclrtStreamWaitEventWithTimeout, CountsTheTimeOnlyFromTheWaitItself) {
  // The wait is queued behind a block that lasts longer than the limit, and does not fail.
  const Event done = Event::ex();
  streams::Hold hold(stream_);
  EXPECT_OK(aclrtRecordEvent(done, nullptr));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream_, done, 1));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1200));
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamWaitEventWithTimeout, StopsAContextThatStopsOnFailure) {
  const OtherContext other;
  const Inside inside(other);
  const Stream stream;
  const Stream sibling;
  const Event never = Event::with_flag();
  Mark mark;
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, never, 1));
  EXPECT_OK(mark.queue(stream));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(stream));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(stream));
  EXPECT_EQ(kWaitTimedOut, mark.queue(sibling));
  EXPECT_FALSE(mark.is_reached());
  clear_errors();
}

TEST_F(AclrtStreamWaitEventWithTimeout, TakesNullForTheDefaultStream) {
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(nullptr, event, 600));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtStreamWaitEventWithTimeout, RefusesTimesBelow0First) {
  streams::WrongHandles wrong;
  const Event event = Event::ex();
  for (const int32_t timeout : {-1, -2, INT32_MIN}) {
    EXPECT_FAILS(kBadValue, "EH0007", aclrtStreamWaitEventWithTimeout(stream_, event, timeout));
    EXPECT_FAILS(kBadValue, "EH0007", aclrtStreamWaitEventWithTimeout(stream_, nullptr, timeout));
    EXPECT_FAILS(kBadValue, "EH0007",
                 aclrtStreamWaitEventWithTimeout(wrong.dead_stream(), event, timeout));
    on_new_thread([&] {
      EXPECT_FAILS(kBadValue, "EH0007", aclrtStreamWaitEventWithTimeout(stream_, event, timeout));
    });
  }
}

TEST_F(AclrtStreamWaitEventWithTimeout, RefusesNullWithACodeOfTheRuntime) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamWaitEventWithTimeout(stream_, nullptr, 1));
  EXPECT_FAILS(kBadValue, "EE1004",
               aclrtStreamWaitEventWithTimeout(wrong.dead_stream(), nullptr, 1));
  on_new_thread([&] {
    EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamWaitEventWithTimeout(stream_, nullptr, 1));
  });
}

TEST_F(AclrtStreamWaitEventWithTimeout, RefusesHandlesOfAnotherType) {
  streams::WrongHandles wrong;
  const Event never = Event::plain();
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEventWithTimeout(stream_, handle, 1));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEventWithTimeout(handle, never, 1));
}

TEST_F(AclrtStreamWaitEventWithTimeout, ChecksTheEventBeforeItLooksForAContext) {
  const Event no_sync = Event::ex(0xA);
  const Event never = Event::plain();
  const Event flag = Event::with_flag();
  EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEventWithTimeout(stream_, no_sync, 1));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEventWithTimeout(stream_, no_sync, 1));
    EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEventWithTimeout(stream_, never, 1));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamWaitEventWithTimeout(stream_, flag, 1));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamWaitEventWithTimeout(nullptr, flag, 1));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtStreamWaitEventWithTimeout(stream_, flag, 1));
}

TEST_F(AclrtStreamWaitEventWithTimeout, SetsTheLastErrorAndSuccessKeepsIt) {
  const Event event = Event::ex();
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtStreamWaitEventWithTimeout(stream_, nullptr, 1); },
      [&] { return aclrtStreamWaitEventWithTimeout(stream_, event, 1); });
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtStreamWaitEventWithTimeout(stream_, event, -1); },
      [&] { return aclrtStreamWaitEventWithTimeout(stream_, event, 1); });
}

}  // namespace
}  // namespace conformance::aclrtStreamWaitEventWithTimeout_test
