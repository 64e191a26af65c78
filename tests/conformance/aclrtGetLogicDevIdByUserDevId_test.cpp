// SPDX-License-Identifier: Apache-2.0
// aclrtGetLogicDevIdByUserDevId: from the program's number of a device to its position in
// FERRY_DEVICES.
#include "support/devices.h"

namespace conformance::aclrtGetLogicDevIdByUserDevId_test {
namespace {

TEST(AclrtGetLogicDevIdByUserDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    const auto count = static_cast<int32_t>(device_count());
    for (int32_t number = 0; number < count; ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetLogicDevIdByUserDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetLogicDevIdByUserDevId, RefusesNullBeforeTheNumber) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetLogicDevIdByUserDevId(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetLogicDevIdByUserDevId(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetLogicDevIdByUserDevId, RefusesNumbersWithoutADevice) {
  for (const int32_t number : missing_devices()) {
    clear_errors();
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtGetLogicDevIdByUserDevId(number, &answer));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetLogicDevIdByUserDevIdProcess, FollowsTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  int32_t answer = -1;
  EXPECT_OK(aclrtGetLogicDevIdByUserDevId(0, &answer));
  EXPECT_EQ(2, answer);
  EXPECT_OK(aclrtGetLogicDevIdByUserDevId(1, &answer));
  EXPECT_EQ(0, answer);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetLogicDevIdByUserDevId(2, &answer));
}

}  // namespace
}  // namespace conformance::aclrtGetLogicDevIdByUserDevId_test
