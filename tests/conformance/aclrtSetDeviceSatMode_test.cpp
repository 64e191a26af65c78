// SPDX-License-Identifier: Apache-2.0
// aclrtSetDeviceSatMode: how a device handles values that are too large; stored, without effect.
#include "support/devices.h"

namespace conformance::aclrtSetDeviceSatMode_test {
namespace {

using AclrtSetDeviceSatMode = WithDevice;

aclrtFloatOverflowMode mode_now() {
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  return mode;
}

TEST_F(AclrtSetDeviceSatMode, KeepsBothModes) {
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_SATURATION, mode_now());
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_INFNAN, mode_now());
}

TEST_F(AclrtSetDeviceSatMode, RefusesOtherModesAndKeepsTheOldOne) {
  for (const int mode : {int{ACL_RT_OVERFLOW_MODE_UNDEF}, 3, -1, INT_MAX, INT_MIN}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(mode)));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error()) << mode;
    EXPECT_EQ(ACL_RT_OVERFLOW_MODE_INFNAN, mode_now());
  }
}

TEST_F(AclrtSetDeviceSatMode, LooksAtTheModeBeforeTheContext) {
  on_new_thread([] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtSetDeviceSatMode, HoldsForAllContextsOfTheDevice) {
  const aclrtContext mine = current_context();
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_SATURATION, mode_now());
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
}

FERRY_PROCESS_TEST(AclrtSetDeviceSatModeProcess, HoldsForOneDevice, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_INFNAN, mode_now());
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(ACL_RT_OVERFLOW_MODE_SATURATION, mode_now());
}

}  // namespace
}  // namespace conformance::aclrtSetDeviceSatMode_test
