// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeEvent: waits on the host until an event is complete.
#include "support/streams.h"

#include <atomic>

namespace conformance::aclrtSynchronizeEvent_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::Mark;
using streams::Stream;

using AclrtSynchronizeEvent = WithStream;

TEST_F(AclrtSynchronizeEvent, ReturnsAtOnceBeforeTheFirstRecord) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(0xA), Event::ex(),
                          Event::ex(0xB)};
  for (const Event& event : events)
    EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(AclrtSynchronizeEvent, WaitsForTheRecordOfEveryKind) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::with_flag(0xA), Event::ex(),
                          Event::ex(0xB)};
  for (const Event& event : events) {
    Mark mark;
    Gate gate(stream_);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    std::atomic<bool> is_done = false;
    std::thread waiter([&] {
      EXPECT_OK(aclrtSynchronizeEvent(event));
      EXPECT_TRUE(mark.is_reached());
      is_done = true;
    });
    gate.wait_until_reached();
    EXPECT_FALSE(is_done);
    gate.open();
    waiter.join();
    EXPECT_OK(aclrtSynchronizeEvent(event));
  }
}

TEST_F(AclrtSynchronizeEvent, WaitsForTheNewestRecord) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  std::atomic<bool> is_done = false;
  std::thread waiter([&] {
    EXPECT_OK(aclrtSynchronizeEvent(event));
    is_done = true;
  });
  gate.wait_until_reached();
  EXPECT_FALSE(is_done);
  gate.open();
  waiter.join();
}

TEST_F(AclrtSynchronizeEvent, DoesNotWaitForWorkBehindTheRecord) {
  const Event event = Event::ex();
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  const Hold hold(stream_);
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeEvent, WaitsThroughAChainOfStreams) {
  std::vector<Stream> chain(20);
  std::vector<Mark> marks(chain.size());
  std::vector<Event> events;
  for (size_t i = 0; i < chain.size(); ++i) {
    events.push_back(Event::ex());
    if (i > 0) {
      EXPECT_OK(aclrtStreamWaitEvent(chain[i], events[i - 1]));
    }
    EXPECT_OK(marks[i].queue(chain[i]));
    EXPECT_OK(aclrtRecordEvent(events[i], chain[i]));
  }
  EXPECT_OK(aclrtSynchronizeEvent(events.back()));
  for (const Mark& mark : marks)
    EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeEvent, LeavesAFailureToTheStream) {
  const Event event = Event::plain();
  streams::BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_FAILS_WITH(streams::kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeEvent, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSynchronizeEvent(nullptr));
}

TEST_F(AclrtSynchronizeEvent, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeEvent(handle));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeEvent(wrong.dead_event())); });
}

TEST_F(AclrtSynchronizeEvent, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  streams::expect_last_error_rules([] { return aclrtSynchronizeEvent(nullptr); },
                                   [&] { return aclrtSynchronizeEvent(wrong.dead_event()); },
                                   [&] { return aclrtSynchronizeEvent(event); });
}

TEST_F(AclrtSynchronizeEvent, LetsManyThreadsWaitForOneEvent) {
  const Event event = Event::ex();
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  std::atomic<int> done = 0;
  std::vector<std::thread> waiters;
  for (int i = 0; i < 8; ++i) {
    waiters.emplace_back([&] {
      EXPECT_OK(aclrtSynchronizeEvent(event));
      EXPECT_TRUE(mark.is_reached());
      ++done;
    });
  }
  gate.wait_until_reached();
  EXPECT_EQ(0, done);
  gate.open();
  for (std::thread& waiter : waiters)
    waiter.join();
}

TEST_F(AclrtSynchronizeEvent, RefusesExternalEvents) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  EXPECT_FAILS(207000, "WE0001", aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_FAILS(207000, "WE0001", aclrtSynchronizeEvent(event));
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeEvent_test
