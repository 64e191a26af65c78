// SPDX-License-Identifier: Apache-2.0
// aclrtEventElapsedTime: the time from one event to another.
#include "support/streams.h"

#include <chrono>

namespace conformance::aclrtEventElapsedTime_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::Stream;

constexpr aclError kNeverRecorded = 507000;
constexpr aclError kNotComplete = 107006;

using AclrtEventElapsedTime = WithStream;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

TEST_F(AclrtEventElapsedTime, MeasuresTheTimeBetweenTwoRecords) {
  const Event start = Event::plain();
  const Event end = Event::plain();
  const Clock::time_point before = Clock::now();
  EXPECT_OK(aclrtRecordEvent(start, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(start));
  const Clock::time_point between = Clock::now();
  DeviceBuffer large(size_t{8} << 20);
  EXPECT_OK(aclrtMemsetAsync(large.get(), large.size(), 1, large.size(), stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const double at_least = ms_since(between);
  EXPECT_OK(aclrtRecordEvent(end, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(end));
  const double at_most = ms_since(before);
  float ms = -1;
  EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
  // Allows one millisecond for clocks that differ.
  EXPECT_GE(ms, at_least - 1);
  EXPECT_LE(ms, at_most + 1);
}

TEST_F(AclrtEventElapsedTime, IsNegativeWhenTheEndCameFirst) {
  const Event first = Event::plain();
  const Event second = Event::plain();
  EXPECT_OK(aclrtRecordEvent(first, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(first));
  const Clock::time_point between = Clock::now();
  while (ms_since(between) < 2) {
  }
  EXPECT_OK(aclrtRecordEvent(second, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(second));
  float forward = 0;
  float backward = 0;
  EXPECT_OK(aclrtEventElapsedTime(&forward, first, second));
  EXPECT_OK(aclrtEventElapsedTime(&backward, second, first));
  EXPECT_GT(forward, 0);
  EXPECT_LT(backward, 0);
  EXPECT_FLOAT_EQ(forward, -backward);
}

TEST_F(AclrtEventElapsedTime, IsZeroForTheSameEvent) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  float ms = -1;
  EXPECT_OK(aclrtEventElapsedTime(&ms, event, event));
  EXPECT_EQ(0, ms);
}

TEST_F(AclrtEventElapsedTime, DoesNotGoBackwardsAlongAStream) {
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i) {
    events.push_back(Event::ex(ACL_EVENT_TIME_LINE));
    EXPECT_OK(aclrtRecordEvent(events.back(), stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (size_t i = 1; i < events.size(); ++i) {
    float ms = -1;
    ASSERT_OK(aclrtEventElapsedTime(&ms, events[i - 1], events[i]));
    EXPECT_GE(ms, 0);
  }
}

TEST_F(AclrtEventElapsedTime, MeasuresWithEventsOfEveryKindThatNotesTheTime) {
  const Event events[] = {Event::plain(), Event::with_flag(ACL_EVENT_TIME_LINE),
                          Event::with_flag(0xB), Event::ex(ACL_EVENT_TIME_LINE), Event::ex(0xB)};
  for (const Event& event : events) {
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
  }
  for (const Event& start : events) {
    for (const Event& end : events) {
      float ms = 0;
      EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
    }
  }
}

TEST_F(AclrtEventElapsedTime, MeasuresAcrossStreamsAndWithoutAContext) {
  const Stream other;
  const Event start = Event::plain();
  const Event end = Event::plain();
  EXPECT_OK(aclrtRecordEvent(start, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(other, start));
  EXPECT_OK(aclrtRecordEvent(end, other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  on_new_thread([&] {
    float ms = -1;
    EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
    EXPECT_GE(ms, 0);
  });
}

TEST_F(AclrtEventElapsedTime, MeasuresFromTheNewestRecord) {
  const Event start = Event::plain();
  const Event end = Event::plain();
  EXPECT_OK(aclrtRecordEvent(start, stream_));
  EXPECT_OK(aclrtRecordEvent(end, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtRecordEvent(start, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  float ms = 1;
  EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
  EXPECT_LE(ms, 0);
}

TEST_F(AclrtEventElapsedTime, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  const aclrtEvent dead = wrong.dead_event();
  float ms = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventElapsedTime(nullptr, event, event));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventElapsedTime(&ms, nullptr, event));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventElapsedTime(&ms, event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventElapsedTime(nullptr, dead, dead));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventElapsedTime(&ms, dead, nullptr));
}

TEST_F(AclrtEventElapsedTime, NamesTheFirstPointerThatIsNull) {
  float ms = 0;
  const struct {
    float* ms;
    aclrtEvent start;
    const char* name;
  } rows[] = {{nullptr, nullptr, "ms"}, {&ms, nullptr, "startEvent"}};
  for (const auto& row : rows) {
    EXPECT_EQ(kBadArgument, aclrtEventElapsedTime(row.ms, row.start, nullptr));
    const std::string text = recent_text();
    EXPECT_NE(std::string::npos, text.find(row.name)) << text;
    EXPECT_EQ(std::string::npos, text.find("endEvent")) << text;
  }
}

TEST_F(AclrtEventElapsedTime, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  float ms = 0;
  for (void* handle : wrong.for_event()) {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtEventElapsedTime(&ms, handle, event));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtEventElapsedTime(&ms, event, handle));
  }
}

TEST_F(AclrtEventElapsedTime, FailsWhenAnEventWasNeverRecorded) {
  const Event recorded = Event::plain();
  EXPECT_OK(aclrtRecordEvent(recorded, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Event never[] = {Event::plain(), Event::with_flag(0x8), Event::ex(0x8)};
  for (const Event& event : never) {
    float ms = 0;
    EXPECT_FAILS_WITH(kNeverRecorded, aclrtEventElapsedTime(&ms, event, recorded));
    EXPECT_FAILS_WITH(kNeverRecorded, aclrtEventElapsedTime(&ms, recorded, event));
    EXPECT_FAILS_WITH(kNeverRecorded, aclrtEventElapsedTime(&ms, event, event));
  }
}

TEST_F(AclrtEventElapsedTime, FailsWhenAnEventWasReset) {
  const Event event = Event::with_flag(0xB);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtResetEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  float ms = 0;
  EXPECT_FAILS_WITH(kNeverRecorded, aclrtEventElapsedTime(&ms, event, event));
}

TEST_F(AclrtEventElapsedTime, FailsWhenAnEventIsNotComplete) {
  const Event done = Event::plain();
  EXPECT_OK(aclrtRecordEvent(done, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Event events[] = {Event::plain(), Event::with_flag(0x8), Event::ex(0x8)};
  for (const Event& event : events) {
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    float ms = 0;
    EXPECT_FAILS_WITH(kNotComplete, aclrtEventElapsedTime(&ms, done, event));
    EXPECT_FAILS_WITH(kNotComplete, aclrtEventElapsedTime(&ms, event, done));
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtEventElapsedTime(&ms, done, event));
  }
}

TEST_F(AclrtEventElapsedTime, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event never = Event::plain();
  const Event done = Event::plain();
  EXPECT_OK(aclrtRecordEvent(done, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  float ms = 0;
  streams::expect_last_error_rules([&] { return aclrtEventElapsedTime(nullptr, done, done); },
                                   [&] { return aclrtEventElapsedTime(&ms, never, done); },
                                   [&] { return aclrtEventElapsedTime(&ms, done, done); });
}

TEST_F(AclrtEventElapsedTime, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int) {
    const Event start = Event::plain();
    const Event end = Event::plain();
    for (int i = 0; i < 50; ++i) {
      ASSERT_OK(aclrtRecordEvent(start, stream_));
      ASSERT_OK(aclrtRecordEvent(end, stream_));
      ASSERT_OK(aclrtSynchronizeEvent(end));
      float ms = -1;
      ASSERT_OK(aclrtEventElapsedTime(&ms, start, end));
      ASSERT_GE(ms, 0);
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtEventElapsedTime_test
