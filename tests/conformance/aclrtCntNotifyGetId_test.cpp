// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyGetId: the number of a counting notify.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyGetId_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNotSupported;

FERRY_COUNTING_TEST(AclrtCntNotifyGetId, DiffersBetweenNotifies) {
  const SetDevice device;
  const CountingNotify first;
  const CountingNotify second;
  uint32_t first_id = 0;
  uint32_t second_id = 0;
  EXPECT_OK(aclrtCntNotifyGetId(first, &first_id));
  EXPECT_OK(aclrtCntNotifyGetId(second, &second_id));
  EXPECT_NE(first_id, second_id);
}

FERRY_COUNTING_TEST(AclrtCntNotifyGetId, ChecksItsArgumentsInOrder) {
  const SetDevice device;
  const CountingNotify notify;
  uint32_t id = 0;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyGetId(nullptr, nullptr));
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyGetId(notify, nullptr));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtCntNotifyGetId(&id, &id));
}

TEST(AclrtCntNotifyGetIdProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyGetId(nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyGetId_test
