// SPDX-License-Identifier: Apache-2.0
// aclrtStreamWaitEventWithFlag: a wait with a time limit, with either flag.
#include "support/streams.h"

namespace conformance::aclrtStreamWaitEventWithFlag_test {
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

using AclrtStreamWaitEventWithFlag = WithStream;

TEST_F(AclrtStreamWaitEventWithFlag, WaitsForTheRecord) {
  const Stream waiting;
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    for (const uint32_t timeout : {0u, 600u, UINT32_MAX}) {
      Mark mark;
      streams::Hold hold(stream_);
      EXPECT_OK(aclrtRecordEvent(event, stream_));
      EXPECT_OK(aclrtStreamWaitEventWithFlag(waiting, event, timeout, ACL_EVENT_WAIT_DEFAULT));
      EXPECT_OK(mark.queue(waiting));
      EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
      EXPECT_FALSE(mark.is_reached());
      hold.release();
      EXPECT_OK(aclrtSynchronizeStream(waiting));
      EXPECT_TRUE(mark.is_reached());
    }
  }
}

TEST_F(AclrtStreamWaitEventWithFlag, TreatsEventsThatWereNeverRecordedByTheirKind) {
  const Event ex = Event::ex();
  const Event plain = Event::plain();
  const Event flag = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream_, ex, 0, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEventWithFlag(stream_, plain, 0, 0));
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream_, flag, 0, 0));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordEvent(flag, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamWaitEventWithFlag, GoesOnWhenTheTimeIsOverAndKeepsAFailure) {
  const Event never = Event::with_flag();
  const Stream second;
  Mark mark;
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream_, never, 1, ACL_EVENT_WAIT_DEFAULT));
  EXPECT_OK(aclrtStreamWaitEventWithFlag(second, never, 1, ACL_EVENT_WAIT_DEFAULT));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(stream_));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(second));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(second));
}

TEST_F(AclrtStreamWaitEventWithFlag, TakesNullForTheDefaultStream) {
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEventWithFlag(nullptr, event, 0, 0));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtStreamWaitEventWithFlag, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamWaitEventWithFlag(stream_, nullptr, 0, 0));
  EXPECT_FAILS(kBadValue, "EE1004",
               aclrtStreamWaitEventWithFlag(wrong.dead_stream(), nullptr, 0, 2));
  on_new_thread([] {
    EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamWaitEventWithFlag(nullptr, nullptr, 0, 2));
  });
}

TEST_F(AclrtStreamWaitEventWithFlag, RefusesOtherFlagsNext) {
  streams::WrongHandles wrong;
  const Event event = Event::ex();
  for (const uint32_t flag : {2u, 3u, 0x80000000u, UINT32_MAX}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, event, 0, flag));
    EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(wrong.dead_stream(), event, 0, flag));
    EXPECT_FAILS_WITH(kBadValue,
                      aclrtStreamWaitEventWithFlag(stream_, wrong.dead_event(), 0, flag));
    on_new_thread([&] {
      EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, event, 0, flag));
    });
  }
}

TEST_F(AclrtStreamWaitEventWithFlag, RefusesHandlesOfAnotherType) {
  streams::WrongHandles wrong;
  const Event never = Event::plain();
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEventWithFlag(stream_, handle, 0, 0));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEventWithFlag(handle, never, 0, 0));
}

TEST_F(AclrtStreamWaitEventWithFlag, ChecksTheEventBeforeItLooksForAContext) {
  const Event no_sync = Event::with_flag(0x8);
  const Event never = Event::plain();
  const Event flag = Event::with_flag();
  EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEventWithFlag(stream_, no_sync, 0, 0));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEventWithFlag(stream_, no_sync, 0, 0));
    EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEventWithFlag(stream_, never, 0, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamWaitEventWithFlag(stream_, flag, 0, 0));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtStreamWaitEventWithFlag(stream_, flag, 0, 0));
}

TEST_F(AclrtStreamWaitEventWithFlag, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::ex();
  streams::expect_last_error_rules(
      {}, [&] { return aclrtStreamWaitEventWithFlag(stream_, nullptr, 0, 0); },
      [&] { return aclrtStreamWaitEventWithFlag(stream_, event, 0, 0); });
}

}  // namespace
}  // namespace conformance::aclrtStreamWaitEventWithFlag_test
