// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyReset: sets the count to 0 when the stream gets there.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyReset_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::Stream;

FERRY_COUNTING_TEST(AclrtCntNotifyReset, IsATask) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  EXPECT_OK(notify.record(0, 6, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  Gate gate(stream);
  EXPECT_OK(aclrtCntNotifyReset(notify, stream));
  EXPECT_TRUE(has_count(notify, 6));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(has_count(notify, 0));
}

FERRY_COUNTING_TEST(AclrtCntNotifyReset, EndsWaitsFor0) {
  const SetDevice device;
  const Stream waiting;
  const Stream stream;
  const CountingNotify notify;
  EXPECT_OK(notify.record(0, 6, waiting));
  EXPECT_OK(notify.wait(1, 0, waiting));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_OK(aclrtCntNotifyReset(notify, stream));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

FERRY_COUNTING_TEST(AclrtCntNotifyReset, ChecksItsArgumentsInOrder) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyReset(nullptr, notify));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyReset(stream, stream));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyReset(notify, notify));
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtCntNotifyReset(notify, stream));
}

TEST(AclrtCntNotifyResetProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyReset(nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyReset_test
