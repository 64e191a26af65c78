// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeEventWithTimeout: like aclrtSynchronizeEvent, with a time limit.
#include "support/streams.h"

namespace conformance::aclrtSynchronizeEventWithTimeout_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::Mark;

constexpr aclError kTimedOut = 507047;

using AclrtSynchronizeEventWithTimeout = WithStream;

TEST_F(AclrtSynchronizeEventWithTimeout, ReturnsAtOnceBeforeTheFirstRecord) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 1));
    EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1));
  }
}

TEST_F(AclrtSynchronizeEventWithTimeout, WaitsForTheRecord) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    for (const int32_t timeout : {-1, 600000, INT32_MAX}) {
      Mark mark;
      EXPECT_OK(mark.queue(stream_));
      EXPECT_OK(aclrtRecordEvent(event, stream_));
      EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, timeout));
      EXPECT_TRUE(mark.is_reached());
    }
  }
}

TEST_F(AclrtSynchronizeEventWithTimeout, EndsWhenTheTimeIsOverAndTheWorkGoesOn) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    Gate gate(stream_);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 1));
    EXPECT_EQ(kTimedOut, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    EXPECT_FALSE(mark.is_reached());
    gate.open();
    EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtSynchronizeEventWithTimeout, TimesOutWhileTheStreamItselfWaits) {
  const Event event = Event::ex();
  Hold hold(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 1));
  hold.release();
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1));
}

TEST_F(AclrtSynchronizeEventWithTimeout, NeedsNoContext) {
  const Event event = Event::plain();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  on_new_thread([&] { EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 1)); });
  gate.open();
  on_new_thread([&] { EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1)); });
}

TEST_F(AclrtSynchronizeEventWithTimeout, RefusesTimesBelowMinusOneFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  for (const int32_t timeout : {-2, -1000, INT32_MIN}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtSynchronizeEventWithTimeout(event, timeout));
    EXPECT_FAILS_WITH(kBadValue, aclrtSynchronizeEventWithTimeout(nullptr, timeout));
    EXPECT_FAILS_WITH(kBadValue, aclrtSynchronizeEventWithTimeout(wrong.dead_event(), timeout));
  }
}

TEST_F(AclrtSynchronizeEventWithTimeout, RefusesNullNext) {
  for (const int32_t timeout : {-1, 0, 1})
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtSynchronizeEventWithTimeout(nullptr, timeout));
}

TEST_F(AclrtSynchronizeEventWithTimeout, RefusesATimeOf0BeforeItLooksAtTheEvent) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  EXPECT_FAILS_WITH(kBadValue, aclrtSynchronizeEventWithTimeout(event, 0));
  EXPECT_FAILS_WITH(kBadValue, aclrtSynchronizeEventWithTimeout(wrong.dead_event(), 0));
}

TEST_F(AclrtSynchronizeEventWithTimeout, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_event()) {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeEventWithTimeout(handle, 1));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeEventWithTimeout(handle, -1));
  }
}

TEST_F(AclrtSynchronizeEventWithTimeout, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::plain();
  streams::expect_last_error_rules([] { return aclrtSynchronizeEventWithTimeout(nullptr, 1); },
                                   [&] { return aclrtSynchronizeEventWithTimeout(event, 0); },
                                   [&] { return aclrtSynchronizeEventWithTimeout(event, 1); });
}

TEST_F(AclrtSynchronizeEventWithTimeout, TimesOutOnManyThreadsAtOnce) {
  const Event event = Event::ex();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  streams::on_threads(
      4, [&](int) { EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 1)); });
  gate.open();
  streams::on_threads(4, [&](int) { EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1)); });
}

TEST_F(AclrtSynchronizeEventWithTimeout, RefusesExternalEvents) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  EXPECT_FAILS(kBadValue, "EE1003", aclrtSynchronizeEventWithTimeout(event, 0));
  EXPECT_FAILS(207000, "WE0001", aclrtSynchronizeEventWithTimeout(event, 1));
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeEventWithTimeout_test
