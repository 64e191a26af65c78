// SPDX-License-Identifier: Apache-2.0
// aclrtGetEventId: a number unique among the events of a device.
#include "support/streams.h"

#include <set>

namespace conformance::aclrtGetEventId_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;

using AclrtGetEventId = WithStream;

uint32_t id_of(aclrtEvent event) {
  uint32_t id = UINT32_MAX;
  EXPECT_OK(aclrtGetEventId(event, &id));
  EXPECT_NE(UINT32_MAX, id);
  return id;
}

TEST_F(AclrtGetEventId, TellsDifferentNumbersForEventsOfOneDevice) {
  std::set<uint32_t> seen;
  std::vector<Event> events;
  const streams::OtherContext other;
  for (int i = 0; i < 100; ++i) {
    events.push_back(Event::plain());
    events.push_back(Event::with_flag());
    const streams::Inside inside(other);
    events.push_back(Event::ex());
  }
  for (const Event& event : events)
    seen.insert(id_of(event));
  EXPECT_EQ(300u, seen.size());
}

TEST_F(AclrtGetEventId, TellsTheSameNumberAfterRecordAndReset) {
  const Event event = Event::with_flag();
  const uint32_t id = id_of(event);
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_EQ(id, id_of(event));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtResetEvent(event, stream_));
  EXPECT_EQ(id, id_of(event));
}

TEST_F(AclrtGetEventId, NeedsNoContext) {
  const Event event = Event::plain();
  const uint32_t id = id_of(event);
  on_new_thread([&] { EXPECT_EQ(id, id_of(event)); });
}

TEST_F(AclrtGetEventId, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  uint32_t id = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventId(nullptr, &id));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventId(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventId(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventId(wrong.dead_event(), nullptr));
}

TEST_F(AclrtGetEventId, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  uint32_t id = 0;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtGetEventId(handle, &id));
}

TEST_F(AclrtGetEventId, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  uint32_t id = 0;
  streams::expect_last_error_rules([&] { return aclrtGetEventId(event, nullptr); },
                                   [&] { return aclrtGetEventId(wrong.dead_event(), &id); },
                                   [&] { return aclrtGetEventId(event, &id); });
}

TEST_F(AclrtGetEventId, WorksOnManyThreadsAtOnce) {
  const Event event = Event::plain();
  const uint32_t id = id_of(event);
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const Event own = Event::ex();
      ASSERT_NE(id, id_of(own));
      ASSERT_EQ(id, id_of(event));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtGetEventId_test
