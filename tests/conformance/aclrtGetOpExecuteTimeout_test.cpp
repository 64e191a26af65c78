// SPDX-License-Identifier: Apache-2.0
// aclrtGetOpExecuteTimeout: reads the time limit for operators.
#include "support/devices.h"

namespace conformance::aclrtGetOpExecuteTimeout_test {
namespace {

FERRY_PROCESS_TEST(AclrtGetOpExecuteTimeoutProcess, IsAbout1091SecondsAtFirst) {
  uint32_t milliseconds = 0;
  EXPECT_OK(aclrtGetOpExecuteTimeout(&milliseconds));
  EXPECT_EQ(1091u, (milliseconds + 500) / 1000);
}

TEST(AclrtGetOpExecuteTimeout, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(100000, "EH0008", aclrtGetOpExecuteTimeout(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetOpExecuteTimeout, SeesWhatAnotherThreadHasSet) {
  on_new_thread([] { EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(42)); });
  uint32_t milliseconds = 0;
  EXPECT_OK(aclrtGetOpExecuteTimeout(&milliseconds));
  EXPECT_EQ(42u, milliseconds);
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(0));
}

}  // namespace
}  // namespace conformance::aclrtGetOpExecuteTimeout_test
