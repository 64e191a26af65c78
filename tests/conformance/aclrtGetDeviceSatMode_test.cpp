// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceSatMode: returns what aclrtSetDeviceSatMode set, and the initial value.
#include "support/devices.h"

namespace conformance::aclrtGetDeviceSatMode_test {
namespace {

using AclrtGetDeviceSatMode = WithDevice;

TEST_F(AclrtGetDeviceSatMode, RefusesNullBeforeTheContext) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDeviceSatMode(nullptr));
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDeviceSatMode(nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtGetDeviceSatMode, NeedsAContext) {
  on_new_thread([] {
    aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetDeviceSatMode(&mode));
    EXPECT_EQ(ACL_RT_OVERFLOW_MODE_UNDEF, mode);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

FERRY_PROCESS_TEST(AclrtGetDeviceSatModeProcess, BeginsWithInfinitiesKept, "FERRY_DEVICES=cpu") {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_INFNAN, mode);
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceSatMode_test
