// SPDX-License-Identifier: Apache-2.0
// aclrtSetOpExecuteTimeOutV2: the time limit for operators in microseconds; stored, without effect.
#include "support/devices.h"

namespace conformance::aclrtSetOpExecuteTimeOutV2_test {
namespace {

using AclrtSetOpExecuteTimeOutV2 = WithDevice;

TEST_F(AclrtSetOpExecuteTimeOutV2, TellsTheLimitThatHolds) {
  for (const uint64_t microseconds : {uint64_t{1}, uint64_t{1000}, uint64_t{1000000}}) {
    uint64_t actual = 0;
    EXPECT_OK(aclrtSetOpExecuteTimeOutV2(microseconds, &actual));
    EXPECT_GE(actual, microseconds);
  }
}

TEST_F(AclrtSetOpExecuteTimeOutV2, TakesZeroForTheLongest) {
  uint64_t some = 0, longest = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(1000, &some));
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(0, &longest));
  EXPECT_GT(longest, some);
}

TEST_F(AclrtSetOpExecuteTimeOutV2, AcceptsTheLargestNumber) {
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(UINT64_MAX, &actual));
  EXPECT_GT(actual, 0u);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(0, &actual));
}

TEST_F(AclrtSetOpExecuteTimeOutV2, RefusesNullBeforeTheContext) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtSetOpExecuteTimeOutV2(1000, nullptr));
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtSetOpExecuteTimeOutV2(1000, nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtSetOpExecuteTimeOutV2, NeedsAContext) {
  on_new_thread([] {
    uint64_t actual = 99;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSetOpExecuteTimeOutV2(1000, &actual));
    EXPECT_EQ(99u, actual);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

}  // namespace
}  // namespace conformance::aclrtSetOpExecuteTimeOutV2_test
