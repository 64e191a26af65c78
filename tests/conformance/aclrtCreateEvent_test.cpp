// SPDX-License-Identifier: Apache-2.0
// aclrtCreateEvent: plain events, for waiting, timing and queries, and their limit.
#include "support/streams.h"

#include <set>

namespace conformance::aclrtCreateEvent_test {
namespace {

using streams::current_context;
using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::Stream;

constexpr aclError kNoEvents = 207007;

using AclrtCreateEvent = WithStream;

uint32_t available() {
  uint32_t count = UINT32_MAX;
  EXPECT_OK(aclrtGetEventAvailNum(&count));
  return count;
}

aclError make_all(std::vector<aclrtEvent>& made) {
  for (;;) {
    aclrtEvent event = nullptr;
    const aclError code = aclrtCreateEvent(&event);
    if (code != ACL_SUCCESS) return code;
    made.push_back(event);
  }
}

void destroy_all(std::vector<aclrtEvent>& made) {
  for (const aclrtEvent event : made)
    ASSERT_EQ(ACL_SUCCESS, aclrtDestroyEvent(event));
  made.clear();
}

TEST_F(AclrtCreateEvent, MakesAnEventForWaitingTimingAndQueries) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_NE(nullptr, event);
  const Stream other;
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, status);
  float ms = -1;
  EXPECT_OK(aclrtEventElapsedTime(&ms, event, event));
  EXPECT_EQ(0, ms);
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtCreateEvent, MakesANewOneEachTime) {
  std::set<aclrtEvent> seen;
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i)
    events.push_back(Event::plain());
  for (const Event& event : events)
    EXPECT_TRUE(seen.insert(event).second);
}

TEST_F(AclrtCreateEvent, NeverGivesAHandleTwice) {
  Event event = Event::plain();
  const aclrtEvent dead = event.release();
  EXPECT_OK(aclrtDestroyEvent(dead));
  for (int i = 0; i < 3000; ++i) {
    const Event next = Event::plain();
    ASSERT_NE(dead, static_cast<aclrtEvent>(next));
    ASSERT_EQ(kBadHandle, aclrtSynchronizeEvent(dead));
  }
}

TEST_F(AclrtCreateEvent, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEvent(nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEvent(nullptr)); });
}

TEST_F(AclrtCreateEvent, NeedsAContext) {
  on_new_thread([context = current_context()] {
    aclrtEvent event = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateEvent(&event));
    streams::expect_last_error_rules([] { return aclrtCreateEvent(nullptr); },
                                     [&] { return aclrtCreateEvent(&event); },
                                     [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtCreateEvent, FailsWhenAllEventsAreInUseAndRecovers) {
  const uint32_t before = available();
  std::vector<aclrtEvent> made;
  EXPECT_EQ(kNoEvents, make_all(made));
  EXPECT_EQ(before, made.size());
  EXPECT_EQ(0u, available());
  aclrtEvent event = nullptr;
  EXPECT_FAILS_WITH(kNoEvents, aclrtCreateEvent(&event));
  EXPECT_FAILS_WITH(kNoEvents, aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_FAILS_WITH(kNoEvents, aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_EQ(kNoEvents, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kNoEvents, aclrtCreateEvent(&event));
  }

  EXPECT_OK(aclrtDestroyEvent(made.back()));
  made.pop_back();
  ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  made.push_back(event);
  destroy_all(made);
  EXPECT_EQ(before, available());
}

TEST_F(AclrtCreateEvent, WorksOnManyThreadsAtOnce) {
  const uint32_t before = available();
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 200; ++i) {
      const Event event = Event::plain();
      ASSERT_OK(aclrtRecordEvent(event, stream_));
    }
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(before, available());
}

FERRY_PROCESS_TEST(AclrtCreateEventProcess, HasTheDocumentedNumberOnEachDevice,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<aclrtEvent> made;
  EXPECT_EQ(kNoEvents, make_all(made));
  EXPECT_EQ(65536u, made.size());
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(65536u, available());
  { const Event event = Event::plain(); }
  destroy_all(made);
  EXPECT_OK(aclrtResetDevice(1));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(65536u, available());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtCreateEvent_test
