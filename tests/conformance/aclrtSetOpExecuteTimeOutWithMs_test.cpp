// SPDX-License-Identifier: Apache-2.0
// aclrtSetOpExecuteTimeOutWithMs: the time limit for operators in milliseconds; stored.
#include "support/devices.h"

namespace conformance::aclrtSetOpExecuteTimeOutWithMs_test {
namespace {

using AclrtSetOpExecuteTimeOutWithMs = WithDevice;

uint32_t kept_milliseconds() {
  uint32_t milliseconds = 0;
  EXPECT_OK(aclrtGetOpExecuteTimeout(&milliseconds));
  return milliseconds;
}

TEST_F(AclrtSetOpExecuteTimeOutWithMs, KeepsTheTimeUpToTheLongest) {
  on_new_thread([] {  // needs no context
    for (const uint32_t milliseconds : {1u, 1000u, 547000u}) {
      EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(milliseconds));
      EXPECT_EQ(milliseconds, kept_milliseconds());
    }
  });
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(UINT32_MAX));
  const uint32_t longest = kept_milliseconds();
  uint64_t interval = 0;
  EXPECT_OK(aclrtGetOpTimeOutInterval(&interval));
  EXPECT_EQ((interval * 254 + 999) / 1000, longest);
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(1));
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(0));
  EXPECT_EQ(longest, kept_milliseconds());
}

TEST_F(AclrtSetOpExecuteTimeOutWithMs, SetsTheSameLimitAsTheOtherForms) {
  EXPECT_OK(aclrtSetOpExecuteTimeOut(3));
  EXPECT_EQ(3000u, kept_milliseconds());
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(2500, &actual));
  EXPECT_EQ(2500u, actual);
  EXPECT_EQ(3u, kept_milliseconds());
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(0));
}

}  // namespace
}  // namespace conformance::aclrtSetOpExecuteTimeOutWithMs_test
