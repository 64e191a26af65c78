// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyWaitWithTimeout: a stream waits for the count.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyWaitWithTimeout_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::Mark;
using streams::Stream;

struct Comparison {
  uint32_t mode;
  uint32_t count;
  uint32_t value;
  bool is_satisfied;
};

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, ComparesAsItsModeSays) {
  const SetDevice device;
  constexpr Comparison kComparisons[] = {
      {0, 4, 5, true},          {0, 5, 5, false},         {1, 5, 5, true},
      {1, 4, 5, false},         {2, 6, 5, true},          {2, 5, 5, false},
      {3, 5, 5, true},          {3, 4, 5, false},         {4, 0b111, 0b101, true},
      {4, 0b011, 0b101, false}, {2, 0xFFFFFFFF, 0, true}, {0, 0xFFFFFFFF, 0, false},
  };
  const Stream stream;
  const CountingNotify notify;
  for (const Comparison& row : kComparisons) {
    SCOPED_TRACE(testing::Message() << "mode " << row.mode << ", count " << row.count);
    EXPECT_OK(notify.record(0, row.count, stream));
    EXPECT_OK(notify.wait(row.mode, row.value, stream));
    if (row.is_satisfied) {
      EXPECT_OK(aclrtSynchronizeStream(stream));
    } else {
      EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
      EXPECT_OK(aclrtStreamAbort(stream));
    }
  }
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, WaitsForSeveralRecords) {
  const SetDevice device;
  const Stream waiting;
  const Stream recording;
  const CountingNotify notify;
  Mark mark;
  EXPECT_OK(notify.wait(3, 3, waiting));
  EXPECT_OK(mark.queue(waiting));
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(notify.record(1, 1, recording));
    EXPECT_OK(aclrtSynchronizeStream(recording));
    EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  }
  EXPECT_OK(notify.record(1, 1, recording));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, ClearsTheCountWhenAsked) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  EXPECT_OK(notify.record(0, 8, stream));
  EXPECT_OK(notify.wait(1, 8, stream, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(has_count(notify, 8));
  EXPECT_OK(notify.wait(1, 8, stream, 1));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(has_count(notify, 0));
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, AnAbortedWaitDoesNotClearTheCount) {
  const SetDevice device;
  const Stream waiting;
  const Stream recording;
  const CountingNotify notify;
  EXPECT_OK(notify.wait(1, 4, waiting, 1));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_OK(aclrtStreamAbort(waiting));
  EXPECT_OK(notify.record(0, 4, recording));
  EXPECT_OK(aclrtSynchronizeStream(recording));
  EXPECT_TRUE(has_count(notify, 4));
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, FailsWhenItsTimeIsOver) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  Mark mark;
  EXPECT_OK(notify.wait(1, 1, stream, 0, 1));
  EXPECT_OK(mark.queue(stream));
  EXPECT_EQ(kTaskTimedOut, aclrtSynchronizeStream(stream));
  EXPECT_NE(std::string::npos, recent_text().find("aclrtCntNotifyWaitWithTimeout"));
  EXPECT_TRUE(mark.is_reached()) << "the stream continues";
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, ALimitThatIsNotReachedDoesNothing) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  EXPECT_OK(notify.record(0, 1, stream));
  EXPECT_OK(notify.wait(1, 1, stream, 0, 3600));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

FERRY_COUNTING_TEST(AclrtCntNotifyWaitWithTimeout, ChecksItsArgumentsInOrder) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  aclrtCntNotifyWaitInfo info{static_cast<aclrtCntNotifyWaitMode>(5), 1, 0, 0, {}};
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCntNotifyWaitWithTimeout(nullptr, stream, nullptr));
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyWaitWithTimeout(nullptr, stream, &info));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyWaitWithTimeout(stream, stream, &info));
  EXPECT_FAILS(kBadValue, "EE1003", aclrtCntNotifyWaitWithTimeout(notify, stream, &info));
  info.mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE;
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCntNotifyWaitWithTimeout(notify, stream, &info));
  });
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtCntNotifyWaitWithTimeout(notify, stream, &info));
}

TEST(AclrtCntNotifyWaitWithTimeoutProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyWaitWithTimeout(nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyWaitWithTimeout_test
