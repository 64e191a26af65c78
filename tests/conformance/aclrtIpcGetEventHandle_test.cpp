// SPDX-License-Identifier: Apache-2.0
// aclrtIpcGetEventHandle: which events have a handle, and what an event with the flag ACL_EVENT_IPC
// can be used for.
#include "support/streams.h"

#include <chrono>

namespace conformance::aclrtIpcGetEventHandle_test {
namespace {

using streams::Event;
using streams::kAborted;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNotSupported;

using AclrtIpcGetEventHandle = WithStream;

constexpr aclError kTimedOut = 507047;

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

TEST_F(AclrtIpcGetEventHandle, RefusesNullAndDeadEventsInThisOrder) {
  aclrtIpcEventHandle handle{};
  Event event = Event::ex(ACL_EVENT_IPC);
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtIpcGetEventHandle(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtIpcGetEventHandle(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtIpcGetEventHandle(nullptr, &handle));
  const aclrtEvent dead = event.release();
  EXPECT_OK(aclrtDestroyEvent(dead));
  EXPECT_FAILS_WITH(kBadArgument, aclrtIpcGetEventHandle(dead, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcGetEventHandle(dead, &handle));
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcGetEventHandle(stream_, &handle));
}

TEST_F(AclrtIpcGetEventHandle, RefusesEventsWithoutTheFlag) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(ACL_EVENT_EXTERNAL),
                          Event::ex(), Event::ex(0xB)};
  for (const Event& event : events) {
    aclrtIpcEventHandle handle{};
    EXPECT_FAILS(kBadValue, "EE1006", aclrtIpcGetEventHandle(event, &handle));
  }
}

TEST_F(AclrtIpcGetEventHandle, GivesTheSameBytesEachTimeAndOthersForOtherEvents) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Event other = Event::ex(ACL_EVENT_IPC);
  aclrtIpcEventHandle first{};
  aclrtIpcEventHandle second{};
  std::memset(second.reserved, 0x5A, sizeof second.reserved);
  aclrtIpcEventHandle third{};
  EXPECT_OK(aclrtIpcGetEventHandle(event, &first));
  EXPECT_OK(aclrtIpcGetEventHandle(event, &second));
  EXPECT_OK(aclrtIpcGetEventHandle(other, &third));
  EXPECT_EQ(0, std::memcmp(first.reserved, second.reserved, sizeof first.reserved));
  EXPECT_NE(0, std::memcmp(first.reserved, third.reserved, sizeof first.reserved));
}

TEST_F(AclrtIpcGetEventHandle, NeedsNoContext) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  on_new_thread([&] {
    aclrtIpcEventHandle handle{};
    EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
  });
}

TEST_F(AclrtIpcGetEventHandle, GivesOneHandleToThreadsThatAskAtOnce) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  aclrtIpcEventHandle handles[4]{};
  streams::on_threads(4, [&](int i) { EXPECT_OK(aclrtIpcGetEventHandle(event, &handles[i])); });
  for (const aclrtIpcEventHandle& handle : handles)
    EXPECT_EQ(0, std::memcmp(handles[0].reserved, handle.reserved, sizeof handle.reserved));
}

TEST_F(AclrtIpcGetEventHandle, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Event plain = Event::plain();
  aclrtIpcEventHandle handle{};
  streams::expect_last_error_rules([&] { return aclrtIpcGetEventHandle(event, nullptr); },
                                   [&] { return aclrtIpcGetEventHandle(plain, &handle); },
                                   [&] { return aclrtIpcGetEventHandle(event, &handle); });
}

// ---- what such an event can be used for ----

TEST_F(AclrtIpcGetEventHandle, EventIsCompleteBeforeTheFirstRecord) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  EXPECT_TRUE(is_complete(event));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 1));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtIpcGetEventHandle, EventOrdersStreamsAndTheHost) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const streams::Stream other;
  streams::Mark first;
  streams::Mark second;
  Gate gate(stream_);
  EXPECT_OK(first.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(second.queue(other));
  EXPECT_FALSE(is_complete(event));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 1));
  EXPECT_FALSE(second.is_reached_yet());
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(first.is_reached());
  EXPECT_TRUE(is_complete(event));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_TRUE(second.is_reached());
}

TEST_F(AclrtIpcGetEventHandle, EventHasNoTimeAndNoOlderQueries) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Event plain = Event::plain();
  float milliseconds = 0;
  uint64_t timestamp = 0;
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_RESERVED;
  for (int round = 0; round < 2; ++round) {
    EXPECT_FAILS_WITH(kNotSupported, aclrtEventElapsedTime(&milliseconds, event, plain));
    EXPECT_FAILS_WITH(kNotSupported, aclrtEventElapsedTime(&milliseconds, plain, event));
    EXPECT_FAILS_WITH(kNotSupported, aclrtEventGetTimestamp(event, &timestamp));
    EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEvent(event, &status));
    EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEventWaitStatus(event, &wait_status));
    EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(event, stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
  }
}

TEST_F(AclrtIpcGetEventHandle, EventOfAnAbortedStreamIsOver) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  {
    Gate gate(stream_);
    gate.wait_until_reached();
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamAbort(stream_));
  }
  EXPECT_FAILS_WITH(kAborted, aclrtSynchronizeEvent(event));
  EXPECT_TRUE(is_complete(event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(AclrtIpcGetEventHandle, RecordsOutliveTheirEvent) {
  const streams::Stream other;
  streams::Mark mark;
  Gate gate(stream_);
  {
    const Event event = Event::ex(ACL_EVENT_IPC);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(other, event));
    EXPECT_OK(mark.queue(other));
  }
  EXPECT_FALSE(mark.is_reached_yet());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtIpcGetEventHandle, EventTakesManyRecords) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  for (int i = 0; i < 20000; ++i)
    ASSERT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtIpcGetEventHandle, EventIsRecordedByManyThreads) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  streams::on_threads(4, [&](int) {
    const streams::Stream own;
    for (int i = 0; i < 200; ++i) {
      ASSERT_OK(aclrtRecordEvent(event, own));
      ASSERT_OK(aclrtStreamWaitEvent(own, event));
      ASSERT_OK(aclrtSynchronizeEvent(event));
    }
    EXPECT_OK(aclrtSynchronizeStream(own));
  });
}

}  // namespace
}  // namespace conformance::aclrtIpcGetEventHandle_test
