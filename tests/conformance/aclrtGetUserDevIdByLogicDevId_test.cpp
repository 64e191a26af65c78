// SPDX-License-Identifier: Apache-2.0
// aclrtGetUserDevIdByLogicDevId: from the position of a device in FERRY_DEVICES to the program's
// number.
#include "support/devices.h"

namespace conformance::aclrtGetUserDevIdByLogicDevId_test {
namespace {

TEST(AclrtGetUserDevIdByLogicDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    const auto count = static_cast<int32_t>(device_count());
    for (int32_t number = 0; number < count; ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetUserDevIdByLogicDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetUserDevIdByLogicDevId, RefusesNullBeforeTheNumber) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetUserDevIdByLogicDevId(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetUserDevIdByLogicDevId(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetUserDevIdByLogicDevId, RefusesNumbersWithoutADevice) {
  for (const int32_t number : missing_devices()) {
    clear_errors();
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtGetUserDevIdByLogicDevId(number, &answer));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetUserDevIdByLogicDevIdProcess, FollowsTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  int32_t answer = -1;
  EXPECT_OK(aclrtGetUserDevIdByLogicDevId(2, &answer));
  EXPECT_EQ(0, answer);
  EXPECT_OK(aclrtGetUserDevIdByLogicDevId(0, &answer));
  EXPECT_EQ(1, answer);
}

FERRY_PROCESS_TEST(AclrtGetUserDevIdByLogicDevIdProcess, RefusesDevicesThatAreNotVisible,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  int32_t answer = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetUserDevIdByLogicDevId(1, &answer));
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
  EXPECT_EQ(99, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetUserDevIdByLogicDevId_test
