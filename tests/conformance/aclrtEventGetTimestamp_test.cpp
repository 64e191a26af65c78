// SPDX-License-Identifier: Apache-2.0
// aclrtEventGetTimestamp: when an event became complete, in microseconds.
#include "support/streams.h"

namespace conformance::aclrtEventGetTimestamp_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::Stream;

constexpr aclError kNeverRecorded = 507000;
constexpr aclError kNotComplete = 107006;

using AclrtEventGetTimestamp = WithStream;

uint64_t timestamp_of(aclrtEvent event) {
  uint64_t timestamp = 0;
  EXPECT_OK(aclrtEventGetTimestamp(event, &timestamp));
  EXPECT_NE(0u, timestamp);
  return timestamp;
}

TEST_F(AclrtEventGetTimestamp, OnlyGoesForward) {
  const Stream other;
  uint64_t latest = 0;
  for (int i = 0; i < 100; ++i) {
    const Event event = i % 2 == 0 ? Event::plain() : Event::ex(ACL_EVENT_TIME_LINE);
    EXPECT_OK(aclrtRecordEvent(event, i % 3 == 0 ? other : stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    const uint64_t timestamp = timestamp_of(event);
    EXPECT_GE(timestamp, latest);
    latest = timestamp;
    EXPECT_EQ(timestamp, timestamp_of(event)) << "a second query changes nothing";
  }
}

TEST_F(AclrtEventGetTimestamp, AgreesWithTheElapsedTime) {
  const Event start = Event::plain();
  const Event end = Event::plain();
  EXPECT_OK(aclrtRecordEvent(start, stream_));
  DeviceBuffer large(size_t{8} << 20);
  EXPECT_OK(aclrtMemsetAsync(large.get(), large.size(), 1, large.size(), stream_));
  EXPECT_OK(aclrtRecordEvent(end, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(end));
  float ms = -1;
  EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
  const auto microseconds = static_cast<double>(timestamp_of(end) - timestamp_of(start));
  EXPECT_NEAR(microseconds, ms * 1000.0, 2.0 + microseconds / 10000);
}

TEST_F(AclrtEventGetTimestamp, MovesWithTheNewestRecord) {
  const Event event = Event::plain();
  const Event between = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtRecordEvent(between, stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_GE(timestamp_of(event), timestamp_of(between));
}

TEST_F(AclrtEventGetTimestamp, NeedsNoContext) {
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  const uint64_t timestamp = timestamp_of(event);
  on_new_thread([&] { EXPECT_EQ(timestamp, timestamp_of(event)); });
}

TEST_F(AclrtEventGetTimestamp, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Event event = Event::plain();
  uint64_t timestamp = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventGetTimestamp(nullptr, &timestamp));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventGetTimestamp(event, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventGetTimestamp(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtEventGetTimestamp(wrong.dead_event(), nullptr));
}

TEST_F(AclrtEventGetTimestamp, RefusesHandlesThatAreNoEvent) {
  streams::WrongHandles wrong;
  uint64_t timestamp = 0;
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtEventGetTimestamp(handle, &timestamp));
}

TEST_F(AclrtEventGetTimestamp, FailsBeforeTheFirstRecordAndBeforeItIsComplete) {
  const Event events[] = {Event::plain(), Event::with_flag(0x8), Event::ex(0x8)};
  for (const Event& event : events) {
    uint64_t timestamp = 0;
    EXPECT_FAILS_WITH(kNeverRecorded, aclrtEventGetTimestamp(event, &timestamp));
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_FAILS_WITH(kNotComplete, aclrtEventGetTimestamp(event, &timestamp));
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtEventGetTimestamp(event, &timestamp));
  }
}

TEST_F(AclrtEventGetTimestamp, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event never = Event::plain();
  const Event done = Event::plain();
  EXPECT_OK(aclrtRecordEvent(done, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  uint64_t timestamp = 0;
  streams::expect_last_error_rules([&] { return aclrtEventGetTimestamp(done, nullptr); },
                                   [&] { return aclrtEventGetTimestamp(never, &timestamp); },
                                   [&] { return aclrtEventGetTimestamp(done, &timestamp); });
}

}  // namespace
}  // namespace conformance::aclrtEventGetTimestamp_test
