// SPDX-License-Identifier: Apache-2.0
// aclrtGetLogicDevIdByPhyDevId: from the physical number of a device to the logical one; both are
// the same here.
#include "support/devices.h"

namespace conformance::aclrtGetLogicDevIdByPhyDevId_test {
namespace {

TEST(AclrtGetLogicDevIdByPhyDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    const auto count = static_cast<int32_t>(device_count());
    for (int32_t number = 0; number < count; ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetLogicDevIdByPhyDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetLogicDevIdByPhyDevId, RefusesNullBeforeTheNumber) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetLogicDevIdByPhyDevId(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetLogicDevIdByPhyDevId(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetLogicDevIdByPhyDevId, RefusesNumbersWithoutADevice) {
  for (const int32_t number : missing_devices()) {
    clear_errors();
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetLogicDevIdByPhyDevId(number, &answer));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetLogicDevIdByPhyDevIdProcess, DoesNotDependOnTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  for (int32_t number = 0; number < 3; ++number) {
    int32_t answer = -1;
    EXPECT_OK(aclrtGetLogicDevIdByPhyDevId(number, &answer));
    EXPECT_EQ(number, answer);
  }
  int32_t answer = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetLogicDevIdByPhyDevId(3, &answer));
  EXPECT_EQ(99, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetLogicDevIdByPhyDevId_test
