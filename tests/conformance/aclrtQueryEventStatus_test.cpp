// SPDX-License-Identifier: Apache-2.0
// aclrtQueryEventStatus: before the first record the result depends on the kind of event.
#include "support/streams.h"

namespace conformance::aclrtQueryEventStatus_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;

using AclrtQueryEventStatus = WithStream;

constexpr auto kComplete = ACL_EVENT_RECORDED_STATUS_COMPLETE;
constexpr auto kNotReady = ACL_EVENT_RECORDED_STATUS_NOT_READY;

// Starts from the other value, so that a result that is not written shows.
aclrtEventRecordedStatus status_of(aclrtEvent event, aclrtEventRecordedStatus expected) {
  aclrtEventRecordedStatus status = expected == kComplete ? kNotReady : kComplete;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status;
}

TEST_F(AclrtQueryEventStatus, HasNumbersTheOtherWayRound) {
  EXPECT_EQ(0, static_cast<int>(kNotReady));
  EXPECT_EQ(1, static_cast<int>(kComplete));
}

TEST_F(AclrtQueryEventStatus, AnswersByKindBeforeTheFirstRecord) {
  const Event plain = Event::plain();
  EXPECT_EQ(kNotReady, status_of(plain, kNotReady));
  for (const uint32_t flag : {0x1u, 0x2u, 0x8u, 0xBu, 0x10u}) {
    const Event event = Event::with_flag(flag);
    EXPECT_EQ(kNotReady, status_of(event, kNotReady)) << "flag " << flag;
  }
  for (const uint32_t flag : {0x1u, 0x2u, 0x8u, 0xBu}) {
    const Event event = Event::ex(flag);
    EXPECT_EQ(kComplete, status_of(event, kComplete)) << "Ex, flag " << flag;
  }
}

TEST_F(AclrtQueryEventStatus, SaysNotReadyUntilTheRecordIsReached) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex(), Event::ex(0xA)};
  for (const Event& event : events) {
    Gate gate(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(kNotReady, status_of(event, kNotReady));
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(kComplete, status_of(event, kComplete));
    EXPECT_EQ(kComplete, status_of(event, kComplete)) << "a query changes nothing";
  }
}

TEST_F(AclrtQueryEventStatus, EndsAProgramThatOnlyPolls) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    streams::Mark mark;
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    while (status_of(event, kNotReady) == kNotReady)
      std::this_thread::yield();
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtQueryEventStatus, NeedsNoContext) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  on_new_thread([&] { EXPECT_EQ(kComplete, status_of(event, kComplete)); });
}

TEST_F(AclrtQueryEventStatus, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  aclrtEventRecordedStatus status = kNotReady;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventStatus(nullptr, &status));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventStatus(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventStatus(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventStatus(wrong.dead_event(), nullptr));
}

TEST_F(AclrtQueryEventStatus, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  aclrtEventRecordedStatus status = kNotReady;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtQueryEventStatus(handle, &status));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtQueryEventStatus(wrong.dead_event(), &status));
  });
}

TEST_F(AclrtQueryEventStatus, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  aclrtEventRecordedStatus status = kNotReady;
  streams::expect_last_error_rules(
      [&] { return aclrtQueryEventStatus(event, nullptr); },
      [&] { return aclrtQueryEventStatus(wrong.dead_event(), &status); },
      [&] { return aclrtQueryEventStatus(event, &status); });
}

TEST_F(AclrtQueryEventStatus, WorksOnManyThreadsAtOnce) {
  const Event event = Event::ex();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(kNotReady, status_of(event, kNotReady));
  });
}

TEST_F(AclrtQueryEventStatus, RefusesExternalEvents) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  aclrtEventRecordedStatus status = kComplete;
  EXPECT_FAILS(207000, "WE0001", aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(kComplete, status);
}

}  // namespace
}  // namespace conformance::aclrtQueryEventStatus_test
