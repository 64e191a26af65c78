// SPDX-License-Identifier: Apache-2.0
// aclrtIpcOpenEventHandle: the arguments, and two events of one process on the same records.
#include "support/streams.h"

namespace conformance::aclrtIpcOpenEventHandle_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kNotSupported;

using AclrtIpcOpenEventHandle = WithStream;

constexpr aclError kTimedOut = 507047;

aclrtIpcEventHandle handle_of(aclrtEvent event) {
  aclrtIpcEventHandle handle{};
  EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
  return handle;
}

aclrtEvent open_event(const aclrtIpcEventHandle& handle) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtIpcOpenEventHandle(handle, &event));
  return event;
}

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

TEST_F(AclrtIpcOpenEventHandle, ChecksTheEventThenTheContextThenTheHandle) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle good = handle_of(event);
  const aclrtIpcEventHandle bad{};
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtIpcOpenEventHandle(good, nullptr));
  on_new_thread([&] {
    aclrtEvent opened = nullptr;
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtIpcOpenEventHandle(bad, nullptr));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtIpcOpenEventHandle(good, &opened));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtIpcOpenEventHandle(bad, &opened));
  });
}

TEST_F(AclrtIpcOpenEventHandle, RefusesBytesThatAreNoHandle) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle good = handle_of(event);
  aclrtIpcEventHandle bad{};
  aclrtEvent opened = nullptr;
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcOpenEventHandle(bad, &opened));
  std::memset(bad.reserved, 0xFF, sizeof bad.reserved);
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcOpenEventHandle(bad, &opened));
  for (size_t i = 0; i < sizeof bad.reserved; ++i) {
    bad = good;
    bad.reserved[i] = static_cast<char>(bad.reserved[i] ^ 1);
    const aclError code = aclrtIpcOpenEventHandle(bad, &opened);
    if (code == ACL_SUCCESS) {
      EXPECT_OK(aclrtDestroyEvent(opened));  // where the process is, when the event is known here
    } else {
      EXPECT_EQ(kBadHandle, code) << "byte " << i;
    }
  }
}

TEST_F(AclrtIpcOpenEventHandle, RefusesAnEventThatAllHaveDestroyed) {
  aclrtIpcEventHandle handle{};
  {
    const Event event = Event::ex(ACL_EVENT_IPC);
    handle = handle_of(event);
  }
  aclrtEvent opened = nullptr;
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcOpenEventHandle(handle, &opened));
  EXPECT_EQ(nullptr, opened);
}

TEST_F(AclrtIpcOpenEventHandle, OpensAnEventWhoseCreatorHasDestroyedItWhileAnotherHoldsIt) {
  Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle handle = handle_of(event);
  const aclrtEvent first = open_event(handle);
  EXPECT_OK(aclrtDestroyEvent(event.release()));
  const aclrtEvent second = open_event(handle);
  EXPECT_OK(aclrtDestroyEvent(first));
  EXPECT_OK(aclrtRecordEvent(second, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(second));
  EXPECT_OK(aclrtDestroyEvent(second));
  aclrtEvent third = nullptr;
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcOpenEventHandle(handle, &third));
}

TEST_F(AclrtIpcOpenEventHandle, MakesAnotherEventWithTheSameHandle) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle handle = handle_of(event);
  const aclrtEvent opened = open_event(handle);
  EXPECT_NE(static_cast<aclrtEvent>(event), opened);
  const aclrtIpcEventHandle again = handle_of(opened);
  EXPECT_EQ(0, std::memcmp(handle.reserved, again.reserved, sizeof handle.reserved));
  uint32_t first = 0;
  uint32_t second = 0;
  EXPECT_OK(aclrtGetEventId(event, &first));
  EXPECT_OK(aclrtGetEventId(opened, &second));
  EXPECT_NE(first, second);
  float milliseconds = 0;
  EXPECT_FAILS_WITH(kNotSupported, aclrtEventElapsedTime(&milliseconds, opened, opened));
  EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(opened, stream_));
  EXPECT_OK(aclrtDestroyEvent(opened));
}

TEST_F(AclrtIpcOpenEventHandle, TakesAnEventOfTheDevice) {
  uint32_t before = 0;
  uint32_t meanwhile = 0;
  uint32_t after = 0;
  const Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle handle = handle_of(event);
  EXPECT_OK(aclrtGetEventAvailNum(&before));
  const aclrtEvent opened = open_event(handle);
  EXPECT_OK(aclrtGetEventAvailNum(&meanwhile));
  EXPECT_OK(aclrtDestroyEvent(opened));
  EXPECT_OK(aclrtGetEventAvailNum(&after));
  EXPECT_EQ(before - 1, meanwhile);
  EXPECT_EQ(before, after);
  aclrtEvent none = nullptr;
  EXPECT_FAILS_WITH(kBadHandle, aclrtIpcOpenEventHandle(aclrtIpcEventHandle{}, &none));
  EXPECT_OK(aclrtGetEventAvailNum(&after));
  EXPECT_EQ(before, after) << "a failed call keeps none";
}

TEST_F(AclrtIpcOpenEventHandle, ShowsTheNewestRecordOfAnySide) {
  const Event created = Event::ex(ACL_EVENT_IPC);
  const aclrtEvent opened = open_event(handle_of(created));
  const streams::Stream other;
  const streams::Stream third;
  streams::Mark mark;
  Gate first(stream_);
  EXPECT_OK(aclrtRecordEvent(created, stream_));
  EXPECT_FALSE(is_complete(opened));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(opened, 1));
  Gate second(other);
  EXPECT_OK(aclrtRecordEvent(opened, other));
  first.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(is_complete(created)) << "the record of the other side is newer";
  EXPECT_OK(aclrtStreamWaitEvent(third, created));
  EXPECT_OK(mark.queue(third));
  EXPECT_FALSE(mark.is_reached_yet());
  second.open();
  EXPECT_OK(aclrtSynchronizeEvent(created));
  EXPECT_TRUE(is_complete(opened));
  EXPECT_OK(aclrtSynchronizeStream(third));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtDestroyEvent(opened));
}

// As the vendor's sample: one side records and shares, the other opens, waits and records again,
// the first synchronises.
TEST_F(AclrtIpcOpenEventHandle, PassesWorkOnAndBack) {
  const Event created = Event::ex(ACL_EVENT_IPC);
  const streams::Stream other;
  DeviceBuffer memory(4096);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 4096, 1, 4096, stream_));
  EXPECT_OK(aclrtRecordEvent(created, stream_));
  const aclrtEvent opened = open_event(handle_of(created));
  EXPECT_OK(aclrtStreamWaitEvent(other, opened));
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 2048, 2, 2048, other));
  EXPECT_OK(aclrtRecordEvent(opened, other));
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(created));
  const std::vector<uint8_t> bytes = memory.read();
  EXPECT_EQ(2, bytes[0]);
  EXPECT_EQ(1, bytes[4095]);
  EXPECT_OK(aclrtDestroyEvent(opened));
}

TEST_F(AclrtIpcOpenEventHandle, LeavesTheOtherSideAloneWhenOneIsDestroyed) {
  Event created = Event::ex(ACL_EVENT_IPC);
  const aclrtEvent opened = open_event(handle_of(created));
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(created, stream_));
  EXPECT_OK(aclrtDestroyEvent(created.release()));
  EXPECT_FALSE(is_complete(opened));
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(opened));
  EXPECT_TRUE(is_complete(opened));
  EXPECT_OK(aclrtDestroyEvent(opened));
}

TEST_F(AclrtIpcOpenEventHandle, WorksOnManyThreadsAtOnce) {
  const Event created = Event::ex(ACL_EVENT_IPC);
  const aclrtIpcEventHandle handle = handle_of(created);
  streams::on_threads(4, [&](int) {
    const streams::Stream own;
    for (int i = 0; i < 50; ++i) {
      const aclrtEvent opened = open_event(handle);
      ASSERT_OK(aclrtRecordEvent(opened, own));
      ASSERT_OK(aclrtStreamWaitEvent(own, opened));
      ASSERT_OK(aclrtSynchronizeEvent(opened));
      ASSERT_OK(aclrtDestroyEvent(opened));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtIpcOpenEventHandle_test
