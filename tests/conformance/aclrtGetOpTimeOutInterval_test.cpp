// SPDX-License-Identifier: Apache-2.0
// aclrtGetOpTimeOutInterval: the resolution of time limits.
#include "support/devices.h"

namespace conformance::aclrtGetOpTimeOutInterval_test {
namespace {

using AclrtGetOpTimeOutInterval = WithDevice;

TEST_F(AclrtGetOpTimeOutInterval, IsThe254thPartOfTheLongestLimit) {
  uint64_t interval = 0;
  uint64_t longest = 0;
  EXPECT_OK(aclrtGetOpTimeOutInterval(&interval));
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(0, &longest));
  EXPECT_EQ(longest, interval * 254);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(longest + 1, &longest));
  EXPECT_EQ(longest, interval * 254);
}

TEST_F(AclrtGetOpTimeOutInterval, ChecksNullThenContext) {
  EXPECT_FAILS(100000, "EH0008", aclrtGetOpTimeOutInterval(nullptr));
  on_new_thread([] {
    uint64_t interval = 99;
    EXPECT_FAILS(100000, "EH0008", aclrtGetOpTimeOutInterval(nullptr));
    EXPECT_FAILS(107002, "EE1018", aclrtGetOpTimeOutInterval(&interval));
    EXPECT_EQ(99u, interval);
  });
}

}  // namespace
}  // namespace conformance::aclrtGetOpTimeOutInterval_test
