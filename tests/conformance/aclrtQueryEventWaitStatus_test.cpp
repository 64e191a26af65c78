// SPDX-License-Identifier: Apache-2.0
// aclrtQueryEventWaitStatus: whether all queued waits for an event are complete.
#include "support/streams.h"

namespace conformance::aclrtQueryEventWaitStatus_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNotSupported;
using streams::Stream;

using AclrtQueryEventWaitStatus = WithStream;

aclrtEventWaitStatus status_of(aclrtEvent event) {
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
  return status;
}

TEST_F(AclrtQueryEventWaitStatus, SaysCompleteWhenNothingWaits) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(0xB)};
  for (const Event& event : events) {
    EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
  }
}

TEST_F(AclrtQueryEventWaitStatus, SaysNotReadyWhileAStreamWaitsForTheRecord) {
  const Stream waiting;
  const Event events[] = {Event::plain(), Event::with_flag()};
  for (const Event& event : events) {
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(ACL_EVENT_WAIT_STATUS_NOT_READY, status_of(event));
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(waiting));
    EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
  }
}

TEST_F(AclrtQueryEventWaitStatus, SaysNotReadyWhileAStreamWaitsForTheFirstRecord) {
  const Stream waiting;
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_NOT_READY, status_of(event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
}

TEST_F(AclrtQueryEventWaitStatus, SaysNotReadyWhileOneOfManyWaits) {
  const Stream first;
  const Stream second;
  const Event event = Event::with_flag();
  Hold hold(second);
  EXPECT_OK(aclrtStreamWaitEvent(first, event));
  EXPECT_OK(aclrtStreamWaitEvent(second, event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_NOT_READY, status_of(event))
      << "the second stream has not come to its wait";
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
}

TEST_F(AclrtQueryEventWaitStatus, SaysCompleteAfterAWaitWasAborted) {
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_NOT_READY, status_of(event));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
}

TEST_F(AclrtQueryEventWaitStatus, EndsAProgramThatOnlyPolls) {
  const Stream waiting;
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  while (status_of(event) == ACL_EVENT_WAIT_STATUS_NOT_READY)
    std::this_thread::yield();
  EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event));
}

TEST_F(AclrtQueryEventWaitStatus, NeedsNoContext) {
  const Event event = Event::with_flag();
  on_new_thread([&] { EXPECT_EQ(ACL_EVENT_WAIT_STATUS_COMPLETE, status_of(event)); });
}

TEST_F(AclrtQueryEventWaitStatus, DoesNotSupportNewerKinds) {
  const Event events[] = {Event::ex(), Event::ex(0xB), Event::ex(ACL_EVENT_IPC),
                          Event::with_flag(ACL_EVENT_EXTERNAL)};
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  for (const Event& event : events)
    EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEventWaitStatus(event, &status));
}

TEST_F(AclrtQueryEventWaitStatus, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  const Event ex = Event::ex();
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventWaitStatus(nullptr, &status));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventWaitStatus(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventWaitStatus(wrong.dead_event(), nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtQueryEventWaitStatus(ex, nullptr));
}

TEST_F(AclrtQueryEventWaitStatus, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtQueryEventWaitStatus(handle, &status));
}

TEST_F(AclrtQueryEventWaitStatus, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::plain();
  const Event ex = Event::ex();
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  streams::expect_last_error_rules([&] { return aclrtQueryEventWaitStatus(event, nullptr); },
                                   [&] { return aclrtQueryEventWaitStatus(ex, &status); },
                                   [&] { return aclrtQueryEventWaitStatus(event, &status); });
}

}  // namespace
}  // namespace conformance::aclrtQueryEventWaitStatus_test
