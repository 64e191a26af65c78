// SPDX-License-Identifier: Apache-2.0
// aclrtDevicePeerAccessStatus: whether access between devices is enabled.
#include "support/devices.h"

namespace conformance::aclrtDevicePeerAccessStatus_test {
namespace {

TEST(AclrtDevicePeerAccessStatus, RefusesNullBeforeTheDevices) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDevicePeerAccessStatus(0, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDevicePeerAccessStatus(-1, -1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtDevicePeerAccessStatus, RefusesNumbersWithoutADeviceOnEitherSide) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    int32_t status = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtDevicePeerAccessStatus(device, 0, &status));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtDevicePeerAccessStatus(0, device, &status));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtDevicePeerAccessStatus(device, device, &status));
    EXPECT_EQ(99, status);
  }
  clear_errors();
}

TEST(AclrtDevicePeerAccessStatus, RefusesTheDeviceItself) {
  clear_errors();
  int32_t status = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDevicePeerAccessStatus(0, 0, &status));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  EXPECT_EQ(99, status);
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtDevicePeerAccessStatusProcess, FollowsTheSwitchOfEachPair,
                   "FERRY_DEVICES=cpu:3") {
  int32_t status = -1;
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));  // needs no context
  EXPECT_EQ(0, status);
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(1, status);
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 2, &status));
  EXPECT_EQ(0, status);
  EXPECT_OK(aclrtDevicePeerAccessStatus(1, 0, &status));
  EXPECT_EQ(0, status);
  EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(0, status);
}

}  // namespace
}  // namespace conformance::aclrtDevicePeerAccessStatus_test
