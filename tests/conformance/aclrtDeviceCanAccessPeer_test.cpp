// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceCanAccessPeer: whether a device can be given access to another.
#include "support/devices.h"

namespace conformance::aclrtDeviceCanAccessPeer_test {
namespace {

TEST(AclrtDeviceCanAccessPeer, RefusesNullBeforeTheDevices) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDeviceCanAccessPeer(nullptr, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDeviceCanAccessPeer(nullptr, -1, -1));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtDeviceCanAccessPeer, RefusesNumbersWithoutADeviceOnEitherSide) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceCanAccessPeer(&answer, device, 0));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceCanAccessPeer(&answer, 0, device));
    // The devices are equal, but the number is checked first.
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtDeviceCanAccessPeer(&answer, device, device));
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

TEST(AclrtDeviceCanAccessPeer, RefusesTheDeviceItself) {
  clear_errors();
  int32_t answer = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceCanAccessPeer(&answer, 0, 0));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  EXPECT_EQ(99, answer);
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtDeviceCanAccessPeerProcess, IsPossibleBetweenDevicesOfOneKind,
                   "FERRY_DEVICES=cpu:3") {
  for (int32_t device = 0; device < 3; ++device) {
    for (int32_t peer = 0; peer < 3; ++peer) {
      if (device == peer) continue;
      int32_t answer = 99;
      EXPECT_OK(aclrtDeviceCanAccessPeer(&answer, device, peer));
      EXPECT_EQ(1, answer);
    }
  }
  EXPECT_EQ(nullptr, current_context());
}

}  // namespace
}  // namespace conformance::aclrtDeviceCanAccessPeer_test
