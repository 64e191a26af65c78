// SPDX-License-Identifier: Apache-2.0
// aclrtCntNotifyCreate: a count that streams change and wait for, on products that have it.
#include "support/counting.h"

namespace conformance::aclrtCntNotifyCreate_test {
namespace {

using namespace counting;  // NOLINT(google-build-using-namespace): all of it is about this chapter
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;

FERRY_COUNTING_TEST(AclrtCntNotifyCreate, StartsWith0) {
  const SetDevice device;
  const CountingNotify notify;
  EXPECT_TRUE(has_count(notify, 0));
}

FERRY_COUNTING_TEST(AclrtCntNotifyCreate, TakesBothFlags) {
  const SetDevice device;
  aclrtCntNotify notify = nullptr;
  ASSERT_OK(aclrtCntNotifyCreate(&notify, ACL_NOTIFY_DEVICE_USE_ONLY));
  EXPECT_NE(nullptr, notify);
  EXPECT_OK(aclrtCntNotifyDestroy(notify));
}

FERRY_COUNTING_TEST(AclrtCntNotifyCreate, ChecksItsArgumentsInOrder) {
  aclrtCntNotify notify = nullptr;
  EXPECT_FAILS(kBadValue, "EE1004", aclrtCntNotifyCreate(nullptr, 2));
  EXPECT_FAILS(kBadValue, "EE1003", aclrtCntNotifyCreate(&notify, 2));
  EXPECT_FAILS(kNoContext, "EE1018", aclrtCntNotifyCreate(&notify, 0));
  EXPECT_EQ(nullptr, notify);
}

TEST(AclrtCntNotifyCreateProducts, IsRefusedByOthersBeforeAnyCheck) {
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCntNotifyCreate(nullptr, 2));
}

}  // namespace
}  // namespace conformance::aclrtCntNotifyCreate_test
