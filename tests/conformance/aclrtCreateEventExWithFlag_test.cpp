// SPDX-License-Identifier: Apache-2.0
// aclrtCreateEventExWithFlag: the accepted flags, and events that were never recorded.
#include "support/streams.h"

namespace conformance::aclrtCreateEventExWithFlag_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;

using AclrtCreateEventExWithFlag = WithStream;

constexpr uint32_t kFree = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

bool is_allowed(uint32_t flag) {
  return flag == ACL_EVENT_IPC || (flag != 0 && (flag & ~kFree) == 0);
}

TEST_F(AclrtCreateEventExWithFlag, TakesTheDocumentedFlagsAndNoOthers) {
  for (uint32_t flag = 0; flag < 0x100; ++flag) {
    aclrtEvent event = nullptr;
    if (is_allowed(flag)) {
      ASSERT_OK(aclrtCreateEventExWithFlag(&event, flag)) << "flag " << flag;
      EXPECT_NE(nullptr, event);
      EXPECT_OK(aclrtDestroyEvent(event));
    } else {
      EXPECT_FAILS_WITH(kBadValue, aclrtCreateEventExWithFlag(&event, flag)) << "flag " << flag;
    }
  }
}

TEST_F(AclrtCreateEventExWithFlag, RefusesHighBits) {
  for (const uint32_t flag : {0x100u, 0x80000000u, UINT32_MAX, 0x80000001u}) {
    aclrtEvent event = nullptr;
    EXPECT_FAILS_WITH(kBadValue, aclrtCreateEventExWithFlag(&event, flag));
  }
}

TEST_F(AclrtCreateEventExWithFlag, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventExWithFlag(nullptr, 0));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateEventExWithFlag(nullptr, 0)); });
}

TEST_F(AclrtCreateEventExWithFlag, NeedsAContextAfterTheFlagsAreRight) {
  on_new_thread([] {
    aclrtEvent event = nullptr;
    EXPECT_FAILS_WITH(kBadValue, aclrtCreateEventExWithFlag(&event, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  });
}

TEST_F(AclrtCreateEventExWithFlag, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtEvent event = nullptr;
  streams::expect_last_error_rules([] { return aclrtCreateEventExWithFlag(nullptr, 1); },
                                   [&] { return aclrtCreateEventExWithFlag(&event, 0); },
                                   [&] { return aclrtCreateEventExWithFlag(&event, 1); });
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtCreateEventExWithFlag, MakesEventsThatWorkWithEveryFreeFlag) {
  for (uint32_t flag = 1; flag <= kFree; ++flag) {
    if (!is_allowed(flag)) continue;
    const Event event = Event::ex(flag);
    streams::Mark mark;
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(mark.is_reached()) << "flag " << flag;
  }
}

// How a never-recorded event of this kind behaves.
TEST_F(AclrtCreateEventExWithFlag, MakesEventsThatAreCompleteBeforeTheFirstRecord) {
  const Event event = Event::ex();
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &recorded));
  EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, recorded);
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCreateEventExWithFlag, MakesEventsThatOlderCallsDoNotSupport) {
  const Event event = Event::ex();
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEvent(event, &status));
  EXPECT_FAILS_WITH(kNotSupported, aclrtQueryEventWaitStatus(event, &wait_status));
  EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(event, stream_));
}

TEST_F(AclrtCreateEventExWithFlag, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const Event event = Event::ex();
      ASSERT_OK(aclrtRecordEvent(event, stream_));
      ASSERT_OK(aclrtSynchronizeEvent(event));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtCreateEventExWithFlag_test
