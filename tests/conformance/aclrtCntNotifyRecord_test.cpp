// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyRecord: changes the count when the stream gets there.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyRecord_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::Stream;

struct Change {
  uint32_t mode;
  uint32_t before;
  uint32_t value;
  uint32_t after;
};

FERRY_COUNTING_TEST(AclrtCntNotifyRecord, ChangesTheCountByItsMode) {
  const SetDevice device;
  constexpr Change kChanges[] = {
      {0, 5, 9, 9},
      {1, 5, 9, 14},
      {1, 0xFFFFFFFF, 2, 1},
      {2, 0b0101, 0b0011, 0b0111},
      {4, 0b0101, 0b0011, 0b0001},
      {4, 7, 0, 0},
  };
  const Stream stream;
  const CountingNotify notify;
  for (const Change& row : kChanges) {
    SCOPED_TRACE(testing::Message() << "mode " << row.mode << ", before " << row.before);
    EXPECT_OK(notify.record(0, row.before, stream));
    EXPECT_OK(notify.record(row.mode, row.value, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(has_count(notify, row.after));
  }
}

FERRY_COUNTING_TEST(AclrtCntNotifyRecord, ChangesItInStreamOrder) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  Gate gate(stream);
  EXPECT_OK(notify.record(0, 1, stream));
  EXPECT_TRUE(has_count(notify, 0));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(has_count(notify, 1));
}

FERRY_COUNTING_TEST(AclrtCntNotifyRecord, TakesTheDefaultStreamForNull) {
  const SetDevice device;
  const CountingNotify notify;
  EXPECT_OK(notify.record(0, 3, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(has_count(notify, 3));
}

FERRY_COUNTING_TEST(AclrtCntNotifyRecord, ChecksItsArgumentsInOrder) {
  const SetDevice device;
  const Stream stream;
  const CountingNotify notify;
  aclrtCntNotifyRecordInfo info{static_cast<aclrtCntNotifyRecordMode>(3), 1};
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCntNotifyRecord(nullptr, stream, nullptr));
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyRecord(nullptr, stream, &info));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyRecord(stream, stream, &info));
  for (const int mode : {3, 5, -1}) {
    info.mode = static_cast<aclrtCntNotifyRecordMode>(mode);
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCntNotifyRecord(notify, stream, &info));
  }
  info.mode = ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE;
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyRecord(notify, notify, &info));
  on_new_thread(
      [&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtCntNotifyRecord(notify, stream, &info)); });
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtCntNotifyRecord(notify, stream, &info));
}

TEST(AclrtCntNotifyRecordProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyRecord(nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyRecord_test
