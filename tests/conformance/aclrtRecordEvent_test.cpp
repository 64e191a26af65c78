// SPDX-License-Identifier: Apache-2.0
// aclrtRecordEvent: an event is complete when the work queued before its record is complete.
#include "support/streams.h"

namespace conformance::aclrtRecordEvent_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

using AclrtRecordEvent = WithStream;

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

TEST_F(AclrtRecordEvent, MarksThePlaceBehindTheWorkQueuedBefore) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(ACL_EVENT_TIME_LINE),
                          Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    Gate gate(stream_);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FALSE(is_complete(event));
    gate.open();
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(mark.is_reached());
    EXPECT_TRUE(is_complete(event));
  }
}

TEST_F(AclrtRecordEvent, DoesNotWaitForWorkQueuedLater) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  Gate gate(stream_);
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(is_complete(event));
}

TEST_F(AclrtRecordEvent, MovesTheMarkWhenCalledAgain) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_complete(event));
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FALSE(is_complete(event));
    hold.release();
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_complete(event));
  }
}

TEST_F(AclrtRecordEvent, MovesTheMarkToAnotherStream) {
  const Stream idle;
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FALSE(is_complete(event));
    EXPECT_OK(aclrtRecordEvent(event, idle));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_complete(event));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FALSE(is_complete(event));
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(is_complete(event));
  }
}

TEST_F(AclrtRecordEvent, IsNotUndoneByAnEarlierRecordThatComesTrueLater) {
  const Stream second;
  const Event event = Event::plain();
  Hold first_hold(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  Hold second_hold(second);
  EXPECT_OK(aclrtRecordEvent(event, second));
  first_hold.release();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(is_complete(event)) << "the latest record counts, and it is still blocked";
  second_hold.release();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(is_complete(event));
}

TEST_F(AclrtRecordEvent, TakesNullForTheDefaultStream) {
  const Event event = Event::plain();
  Mark mark;
  Gate gate(nullptr);
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_FALSE(is_complete(event));
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtRecordEvent, RecordsBehindATaskThatFails) {
  const Event event = Event::plain();
  streams::BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(is_complete(event));
  EXPECT_FAILS_WITH(streams::kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtRecordEvent, RecordsAnEventMadeInAnotherContext) {
  const Event event = Event::plain();
  const OtherContext other;
  const Inside inside(other);
  const Stream stream;
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(is_complete(event));
}

TEST_F(AclrtRecordEvent, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordEvent(nullptr, stream_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordEvent(nullptr, wrong.dead_stream()));
  on_new_thread([&] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordEvent(nullptr, stream_)); });
}

TEST_F(AclrtRecordEvent, RefusesHandlesOfAnotherTypeBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(handle, stream_));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(event, handle));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(wrong.dead_event(), stream_));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(event, wrong.dead_stream()));
  });
}

TEST_F(AclrtRecordEvent, NeedsTheContextOfTheStream) {
  const Event event = Event::plain();
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEvent(event, stream_));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEvent(event, nullptr));
  });
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtRecordEvent(event, stream_));
  }
  EXPECT_FALSE(is_complete(event)) << "nothing was recorded";
}

TEST_F(AclrtRecordEvent, RefusesEventsForTheDeviceAfterTheContext) {
  const Event event = Event::with_flag(ACL_EVENT_DEVICE_USE_ONLY);
  EXPECT_FAILS(kBadValue, "EE1006", aclrtRecordEvent(event, stream_));
  EXPECT_FAILS(kBadValue, "EE1006", aclrtRecordEvent(event, nullptr));
  on_new_thread([&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEvent(event, stream_)); });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtRecordEvent(event, stream_));
}

TEST_F(AclrtRecordEvent, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  streams::expect_last_error_rules([&] { return aclrtRecordEvent(nullptr, stream_); },
                                   [&] { return aclrtRecordEvent(wrong.dead_event(), stream_); },
                                   [&] { return aclrtRecordEvent(event, stream_); });
}

TEST_F(AclrtRecordEvent, RecordsOneEventOnManyThreadsAtOnce) {
  const Event event = Event::plain();
  streams::on_threads(4, [&](int) {
    const Stream own;
    for (int i = 0; i < 200; ++i) {
      ASSERT_OK(aclrtRecordEvent(event, own));
      ASSERT_OK(aclrtRecordEvent(event, stream_));
    }
    ASSERT_OK(aclrtSynchronizeEvent(event));
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(is_complete(event));
}

}  // namespace
}  // namespace conformance::aclrtRecordEvent_test
