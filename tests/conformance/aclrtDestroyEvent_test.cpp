// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyEvent: returns at once; work queued with the event still runs.
#include "support/streams.h"

namespace conformance::aclrtDestroyEvent_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::Mark;
using streams::Stream;

using AclrtDestroyEvent = WithStream;

uint32_t available() {
  uint32_t count = UINT32_MAX;
  EXPECT_OK(aclrtGetEventAvailNum(&count));
  return count;
}

TEST_F(AclrtDestroyEvent, DestroysEventsOfEveryKind) {
  Event events[] = {Event::plain(),
                    Event::with_flag(),
                    Event::with_flag(ACL_EVENT_EXTERNAL),
                    Event::with_flag(ACL_EVENT_DEVICE_USE_ONLY),
                    Event::ex(),
                    Event::ex(ACL_EVENT_IPC)};
  for (Event& event : events) {
    const aclrtEvent handle = event.release();
    EXPECT_OK(aclrtDestroyEvent(handle));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyEvent(handle));
  }
}

TEST_F(AclrtDestroyEvent, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyEvent(nullptr));
}

TEST_F(AclrtDestroyEvent, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyEvent(handle));
}

TEST_F(AclrtDestroyEvent, NeedsNoContext) {
  Event event = Event::plain();
  on_new_thread([handle = event.release()] { EXPECT_OK(aclrtDestroyEvent(handle)); });
}

TEST_F(AclrtDestroyEvent, WorksFromAnotherContext) {
  Event event = Event::plain();
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_OK(aclrtDestroyEvent(event.release()));
}

TEST_F(AclrtDestroyEvent, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  Event event = Event::plain();
  streams::expect_last_error_rules([] { return aclrtDestroyEvent(nullptr); },
                                   [&] { return aclrtDestroyEvent(wrong.dead_event()); },
                                   [&] { return aclrtDestroyEvent(event.release()); });
}

TEST_F(AclrtDestroyEvent, ReturnsAtOnceForAnEventThatIsNotComplete) {
  const uint32_t before = available();
  Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  Mark mark;
  Gate gate(stream_);
  for (Event& event : events)
    EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(mark.queue(stream_));
  for (Event& event : events) {
    const aclrtEvent handle = event.release();
    EXPECT_OK(aclrtDestroyEvent(handle));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeEvent(handle));
  }
  EXPECT_FALSE(mark.is_reached());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_EQ(before, available()) << "its resources are freed when it is complete";
}

TEST_F(AclrtDestroyEvent, LetsQueuedWaitsHappen) {
  const Stream waiting;
  Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (Event& event : events) {
    Mark first;
    Mark second;
    Gate gate(stream_);
    EXPECT_OK(first.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
    EXPECT_OK(second.queue(waiting));
    EXPECT_OK(aclrtDestroyEvent(event.release()));
    EXPECT_FALSE(second.is_reached());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(waiting));
    EXPECT_TRUE(first.is_reached());
    EXPECT_TRUE(second.is_reached());
  }
}

TEST_F(AclrtDestroyEvent, LetsAQueuedRecordEndAWaitQueuedBeforeIt) {
  const Stream waiting;
  Event event = Event::with_flag();
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtDestroyEvent(event.release()));
  EXPECT_FALSE(mark.is_reached());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyEvent, LetsAThreadThatWaitsOnTheHostGoOn) {
  Event event = Event::plain();
  const aclrtEvent handle = event.release();
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(handle, stream_));
  aclError code = ACL_SUCCESS;
  std::thread waiter([&] { code = aclrtSynchronizeEvent(handle); });
  EXPECT_OK(aclrtDestroyEvent(handle));
  gate.open();
  waiter.join();
  // The waiter came either before the event was destroyed, or after.
  EXPECT_TRUE(code == ACL_SUCCESS || code == kBadHandle) << code;
}

TEST_F(AclrtDestroyEvent, MakesEveryUseOfTheHandleAnError) {
  streams::WrongHandles wrong;
  const aclrtEvent dead = wrong.dead_event();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  uint64_t timestamp = 0;
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(dead, stream_));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(stream_, dead));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtResetEvent(dead, stream_));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtQueryEvent(dead, &status));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtEventGetTimestamp(dead, &timestamp));
}

TEST_F(AclrtDestroyEvent, WorksOnManyThreadsAtOnce) {
  const uint32_t before = available();
  streams::on_threads(4, [&](int) {
    const Stream own;
    for (int i = 0; i < 100; ++i) {
      Event event = Event::ex();
      ASSERT_OK(aclrtRecordEvent(event, own));
      ASSERT_OK(aclrtStreamWaitEvent(stream_, event));
      ASSERT_OK(aclrtDestroyEvent(event.release()));
    }
    ASSERT_OK(aclrtSynchronizeStream(own));
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(before, available());
}

}  // namespace
}  // namespace conformance::aclrtDestroyEvent_test
