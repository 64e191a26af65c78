// SPDX-License-Identifier: Apache-2.0
// aclrtRecordEventWithFlag: like aclrtRecordEvent, with either flag.
#include "support/streams.h"

namespace conformance::aclrtRecordEventWithFlag_test {
namespace {

using streams::Event;
using streams::Inside;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;

using AclrtRecordEventWithFlag = WithStream;

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

TEST_F(AclrtRecordEventWithFlag, MarksThePlaceBehindTheWorkQueuedBefore) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    Gate gate(stream_);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEventWithFlag(event, stream_, ACL_EVENT_RECORD_DEFAULT));
    EXPECT_FALSE(is_complete(event));
    gate.open();
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtRecordEventWithFlag, EndsAWaitOfAnotherStream) {
  const streams::Stream waiting;
  const Event event = Event::with_flag();
  Mark mark;
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_OK(aclrtRecordEventWithFlag(event, stream_, ACL_EVENT_RECORD_DEFAULT));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtRecordEventWithFlag, TakesNullForTheDefaultStream) {
  const Event event = Event::plain();
  Gate gate(nullptr);
  EXPECT_OK(aclrtRecordEventWithFlag(event, nullptr, 0));
  EXPECT_FALSE(is_complete(event));
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(AclrtRecordEventWithFlag, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtRecordEventWithFlag(nullptr, stream_, 0));
  EXPECT_FAILS(kBadValue, "EE1004", aclrtRecordEventWithFlag(nullptr, wrong.dead_stream(), 2));
  on_new_thread(
      [] { EXPECT_FAILS(kBadValue, "EE1004", aclrtRecordEventWithFlag(nullptr, nullptr, 2)); });
}

TEST_F(AclrtRecordEventWithFlag, RefusesOtherFlagsNext) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  for (const uint32_t flag : {2u, 3u, 0x80000000u, UINT32_MAX}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(event, stream_, flag));
    EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(wrong.dead_event(), stream_, flag));
    EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(event, wrong.dead_stream(), flag));
    on_new_thread(
        [&] { EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(event, stream_, flag)); });
  }
  EXPECT_FALSE(is_complete(event));
}

TEST_F(AclrtRecordEventWithFlag, RefusesHandlesOfAnotherTypeBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEventWithFlag(handle, stream_, 0));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEventWithFlag(event, handle, 0));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEventWithFlag(wrong.dead_event(), stream_, 0));
  });
}

TEST_F(AclrtRecordEventWithFlag, NeedsTheContextOfTheStream) {
  const Event event = Event::plain();
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEventWithFlag(event, stream_, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEventWithFlag(event, nullptr, 0));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtRecordEventWithFlag(event, stream_, 0));
}

TEST_F(AclrtRecordEventWithFlag, RefusesEventsForTheDeviceAfterTheContext) {
  const Event event = Event::with_flag(ACL_EVENT_DEVICE_USE_ONLY);
  EXPECT_FAILS(kBadValue, "EE1006", aclrtRecordEventWithFlag(event, stream_, 0));
  EXPECT_FAILS(kBadValue, "EE1006", aclrtRecordEventWithFlag(event, stream_, 1));
  on_new_thread(
      [&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordEventWithFlag(event, stream_, 0)); });
}

TEST_F(AclrtRecordEventWithFlag, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::plain();
  streams::expect_last_error_rules(
      {}, [&] { return aclrtRecordEventWithFlag(nullptr, stream_, 0); },
      [&] { return aclrtRecordEventWithFlag(event, stream_, 0); });
}

}  // namespace
}  // namespace conformance::aclrtRecordEventWithFlag_test
