// SPDX-License-Identifier: Apache-2.0
// aclrtGetPhyDevIdByLogicDevId: from the logical number of a device to the physical one; both are
// the same here.
#include "support/devices.h"

namespace conformance::aclrtGetPhyDevIdByLogicDevId_test {
namespace {

TEST(AclrtGetPhyDevIdByLogicDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    const auto count = static_cast<int32_t>(device_count());
    for (int32_t number = 0; number < count; ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetPhyDevIdByLogicDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetPhyDevIdByLogicDevId, RefusesNullBeforeTheNumber) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetPhyDevIdByLogicDevId(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetPhyDevIdByLogicDevId(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetPhyDevIdByLogicDevId, RefusesNumbersWithoutADevice) {
  for (const int32_t number : missing_devices()) {
    clear_errors();
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetPhyDevIdByLogicDevId(number, &answer));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetPhyDevIdByLogicDevIdProcess, DoesNotDependOnTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  for (int32_t number = 0; number < 3; ++number) {
    int32_t answer = -1;
    EXPECT_OK(aclrtGetPhyDevIdByLogicDevId(number, &answer));
    EXPECT_EQ(number, answer);
  }
  int32_t answer = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetPhyDevIdByLogicDevId(3, &answer));
  EXPECT_EQ(99, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetPhyDevIdByLogicDevId_test
