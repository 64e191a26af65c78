// SPDX-License-Identifier: Apache-2.0
// aclrtResetEvent: makes an event "not recorded" again for the calls that follow.
#include "support/streams.h"

namespace conformance::aclrtResetEvent_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

using AclrtResetEvent = WithStream;

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

TEST_F(AclrtResetEvent, TakesARecordBack) {
  const Event events[] = {Event::plain(), Event::with_flag()};
  for (const Event& event : events) {
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_complete(event));
    EXPECT_OK(aclrtResetEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_FALSE(is_complete(event));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_complete(event));
  }
}

TEST_F(AclrtResetEvent, DoesNothingToAnEventThatWasNeverRecorded) {
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtResetEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(is_complete(event));
}

TEST_F(AclrtResetEvent, MakesAFlagEventHoldStreamsAgain) {
  const Stream waiting;
  const Event event = Event::with_flag();
  Mark mark;
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtResetEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtResetEvent, MakesAPlainEventAnErrorForWaitsAgain) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtResetEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEvent(stream_, event));
}

TEST_F(AclrtResetEvent, LeavesWaitsQueuedBeforeTheirRecord) {
  const Stream waiting;
  const Event events[] = {Event::plain(), Event::with_flag()};
  for (const Event& event : events) {
    Mark mark;
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
    EXPECT_OK(aclrtResetEvent(event, waiting));
    EXPECT_OK(mark.queue(waiting));
    EXPECT_FALSE(mark.is_reached());
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(waiting));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtResetEvent, LetsAnEventBeUsedRoundAfterRound) {
  const Stream producer;
  const Event event = Event::with_flag();
  Mark mark;
  for (int round = 0; round < 50; ++round) {
    mark.clear();
    EXPECT_OK(aclrtRecordEvent(event, producer));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
    EXPECT_OK(aclrtResetEvent(event, stream_));
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtResetEvent, TakesNullForTheDefaultStream) {
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtResetEvent(event, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_FALSE(is_complete(event));
}

TEST_F(AclrtResetEvent, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtResetEvent(nullptr, stream_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtResetEvent(nullptr, wrong.dead_stream()));
  on_new_thread([&] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtResetEvent(nullptr, stream_)); });
}

TEST_F(AclrtResetEvent, RefusesHandlesOfAnotherTypeBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  const Event event = Event::with_flag();
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtResetEvent(handle, stream_));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtResetEvent(event, handle));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtResetEvent(wrong.dead_event(), stream_)); });
}

TEST_F(AclrtResetEvent, NeedsTheContextOfTheStreamBeforeItLooksAtTheKind) {
  const Event event = Event::with_flag();
  const Event ex = Event::ex();
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtResetEvent(event, stream_));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtResetEvent(ex, stream_));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtResetEvent(event, stream_));
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtResetEvent(ex, stream_));
}

TEST_F(AclrtResetEvent, DoesNotSupportEventsOfTheKindEx) {
  const Event events[] = {Event::ex(), Event::ex(0xB), Event::ex(ACL_EVENT_IPC)};
  for (const Event& event : events)
    EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(event, stream_));
}

TEST_F(AclrtResetEvent, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::with_flag();
  const Event ex = Event::ex();
  streams::expect_last_error_rules([&] { return aclrtResetEvent(nullptr, stream_); },
                                   [&] { return aclrtResetEvent(ex, stream_); },
                                   [&] { return aclrtResetEvent(event, stream_); });
}

TEST_F(AclrtResetEvent, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int) {
    const Stream own;
    const Event event = Event::with_flag();
    for (int i = 0; i < 50; ++i) {
      ASSERT_OK(aclrtRecordEvent(event, stream_));
      ASSERT_OK(aclrtStreamWaitEvent(own, event));
      ASSERT_OK(aclrtResetEvent(event, own));
      ASSERT_OK(aclrtSynchronizeStream(own));
      ASSERT_FALSE(is_complete(event));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtResetEvent_test
