// SPDX-License-Identifier: Apache-2.0
// aclrtGetUserDevIdByPhyDevId: from the physical number of a device to the user one.
#include "support/devices.h"

namespace conformance::aclrtGetUserDevIdByPhyDevId_test {
namespace {

TEST(AclrtGetUserDevIdByPhyDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    for (int32_t number = 0; number < static_cast<int32_t>(device_count()); ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetUserDevIdByPhyDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetUserDevIdByPhyDevId, ChecksNullThenTheNumber) {
  for (const int32_t number : missing_devices()) {
    int32_t answer = 99;
    EXPECT_FAILS(100000, "EH0008", aclrtGetUserDevIdByPhyDevId(number, nullptr));
    EXPECT_FAILS_WITH(107001, aclrtGetUserDevIdByPhyDevId(number, &answer));
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetUserDevIdByPhyDevIdProcess, FollowsTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  int32_t answer = 99;
  EXPECT_OK(aclrtGetUserDevIdByPhyDevId(2, &answer));
  EXPECT_EQ(0, answer);
  EXPECT_OK(aclrtGetUserDevIdByPhyDevId(0, &answer));
  EXPECT_EQ(1, answer);
  answer = 99;
  EXPECT_FAILS_WITH(107001, aclrtGetUserDevIdByPhyDevId(1, &answer));  // not visible
  EXPECT_EQ(99, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetUserDevIdByPhyDevId_test
