// SPDX-License-Identifier: Apache-2.0
// aclrtQueryEvent: the older query; an event that was never recorded is complete.
#include "support/streams.h"

namespace conformance::aclrtQueryEvent_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNotSupported;

using AclrtQueryEvent = WithStream;

aclrtEventStatus status_of(aclrtEvent event) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEvent(event, &status));
  return status;
}

TEST_F(AclrtQueryEvent, SaysCompleteBeforeTheFirstRecord) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(0xB)};
  for (const Event& event : events)
    EXPECT_EQ(ACL_EVENT_STATUS_COMPLETE, status_of(event));
}

TEST_F(AclrtQueryEvent, SaysNotReadyUntilTheRecordIsReached) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(0xA)};
  for (const Event& event : events) {
    Gate gate(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(ACL_EVENT_STATUS_NOT_READY, status_of(event));
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(ACL_EVENT_STATUS_COMPLETE, status_of(event));
  }
}

TEST_F(AclrtQueryEvent, EndsAProgramThatOnlyPolls) {
  const Event event = Event::plain();
  streams::Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  while (status_of(event) == ACL_EVENT_STATUS_NOT_READY)
    std::this_thread::yield();
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtQueryEvent, NeedsNoContext) {
  const Event event = Event::plain();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  on_new_thread([&] { EXPECT_EQ(ACL_EVENT_STATUS_NOT_READY, status_of(event)); });
}

TEST_F(AclrtQueryEvent, DoesNotSupportNewerKinds) {
  const Event events[] = {Event::ex(), Event::ex(0xB), Event::ex(ACL_EVENT_IPC),
                          Event::with_flag(ACL_EVENT_EXTERNAL)};
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  for (const Event& event : events)
    EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEvent(event, &status));
}

TEST_F(AclrtQueryEvent, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  const Event ex = Event::ex();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEvent(nullptr, &status));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEvent(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEvent(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEvent(wrong.dead_event(), nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEvent(ex, nullptr));
}

TEST_F(AclrtQueryEvent, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtQueryEvent(handle, &status));
}

TEST_F(AclrtQueryEvent, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::plain();
  const Event ex = Event::ex();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  streams::expect_last_error_rules([&] { return aclrtQueryEvent(event, nullptr); },
                                   [&] { return aclrtQueryEvent(ex, &status); },
                                   [&] { return aclrtQueryEvent(event, &status); });
}

TEST_F(AclrtQueryEvent, WorksOnManyThreadsAtOnce) {
  const Event event = Event::plain();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(ACL_EVENT_STATUS_NOT_READY, status_of(event));
  });
}

}  // namespace
}  // namespace conformance::aclrtQueryEvent_test
