// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyDestroy: ends a counting notify; tasks that use it are not waited for.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyDestroy_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNotSupported;
using streams::Mark;
using streams::Stream;

FERRY_COUNTING_TEST(AclrtCntNotifyDestroy, InvalidatesTheHandle) {
  const SetDevice device;
  CountingNotify notify;
  const aclrtCntNotify handle = notify.release();
  EXPECT_OK(aclrtCntNotifyDestroy(handle));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyDestroy(handle));
}

FERRY_COUNTING_TEST(AclrtCntNotifyDestroy, DoesNotWaitForTasks) {
  const SetDevice device;
  const Stream waiting;
  const Stream recording;
  CountingNotify notify;
  Mark mark;
  Gate gate(recording);
  EXPECT_OK(notify.wait(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1, waiting));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_OK(notify.record(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 1, recording));
  EXPECT_OK(aclrtCntNotifyDestroy(notify.release()));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached()) << "queued tasks still use the count";
}

FERRY_COUNTING_TEST(AclrtCntNotifyDestroy, FailsAStreamThatNobodyCanWakeAnyMore) {
  const SetDevice device;
  const Stream stream;
  CountingNotify notify;
  Mark mark;
  EXPECT_OK(notify.wait(3, 1, stream));
  EXPECT_OK(mark.queue(stream));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
  EXPECT_OK(aclrtCntNotifyDestroy(notify.release()));
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
}

FERRY_COUNTING_TEST(AclrtCntNotifyDestroy, NeedsAHandle) {
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyDestroy(nullptr));
}

TEST(AclrtCntNotifyDestroyProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyDestroy(nullptr));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyDestroy_test
