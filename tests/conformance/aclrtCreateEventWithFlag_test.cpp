// SPDX-License-Identifier: Apache-2.0
// aclrtCreateEventWithFlag: the accepted flags, and events that were never recorded.
#include "support/streams.h"

namespace conformance::aclrtCreateEventWithFlag_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadValue;
using streams::kNoContext;

using AclrtCreateEventWithFlag = WithStream;

constexpr uint32_t kFree = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

bool is_allowed(uint32_t flag) {
  if (flag == ACL_EVENT_DEVICE_USE_ONLY || flag == ACL_EVENT_EXTERNAL) return true;
  return flag != 0 && (flag & ~kFree) == 0;
}

TEST_F(AclrtCreateEventWithFlag, TakesTheDocumentedFlagsAndNoOthers) {
  for (uint32_t flag = 0; flag < 0x100; ++flag) {
    aclrtEvent event = nullptr;
    if (is_allowed(flag)) {
      ASSERT_OK(aclrtCreateEventWithFlag(&event, flag)) << "flag " << flag;
      EXPECT_NE(nullptr, event);
      EXPECT_OK(aclrtDestroyEvent(event));
    } else {
      EXPECT_FAILS_WITH(kBadValue, aclrtCreateEventWithFlag(&event, flag)) << "flag " << flag;
    }
  }
}

TEST_F(AclrtCreateEventWithFlag, RefusesNothingAndUnknownBits) {
  for (const uint32_t flag : {0u, 0x4u, 0x40u, 0x80u, 0x100u, 0x80000000u, 0x41u}) {
    aclrtEvent event = nullptr;
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCreateEventWithFlag(&event, flag));
  }
}

TEST_F(AclrtCreateEventWithFlag, RefusesFlagsThatMustStandAlone) {
  for (uint32_t alone : {ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL}) {
    for (uint32_t others : {0x1u, 0x2u, 0x8u, 0xBu}) {
      aclrtEvent event = nullptr;
      EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateEventWithFlag(&event, alone | others));
    }
  }
  aclrtEvent event = nullptr;
  EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateEventWithFlag(&event, 0x30));
}

TEST_F(AclrtCreateEventWithFlag, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventWithFlag(nullptr, 0));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventWithFlag(nullptr, 0)); });
}

TEST_F(AclrtCreateEventWithFlag, NeedsAContextAfterTheFlagsAreRight) {
  on_new_thread([] {
    aclrtEvent event = nullptr;
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCreateEventWithFlag(&event, 0));
    EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateEventWithFlag(&event, 0x11));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  });
}

TEST_F(AclrtCreateEventWithFlag, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtEvent event = nullptr;
  streams::expect_last_error_rules([] { return aclrtCreateEventWithFlag(nullptr, 1); },
                                   [&] { return aclrtCreateEventWithFlag(&event, 0); },
                                   [&] { return aclrtCreateEventWithFlag(&event, 1); });
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtCreateEventWithFlag, MakesEventsThatWorkWithEveryFreeFlag) {
  for (uint32_t flag = 1; flag <= kFree; ++flag) {
    if (!is_allowed(flag)) continue;
    const Event event = Event::with_flag(flag);
    streams::Mark mark;
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(mark.is_reached()) << "flag " << flag;
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, status);
  }
}

// How a never-recorded event of this kind behaves.
TEST_F(AclrtCreateEventWithFlag, MakesEventsThatAreNotReadyBeforeTheFirstRecord) {
  const Event event = Event::with_flag();
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_OK(aclrtQueryEventStatus(event, &recorded));
  EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_NOT_READY, recorded);
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEvent(event, &status));
  EXPECT_EQ(ACL_EVENT_STATUS_COMPLETE, status);
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCreateEventWithFlag, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const Event event = Event::with_flag();
      ASSERT_OK(aclrtRecordEvent(event, stream_));
      ASSERT_OK(aclrtSynchronizeEvent(event));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtCreateEventWithFlag_test
