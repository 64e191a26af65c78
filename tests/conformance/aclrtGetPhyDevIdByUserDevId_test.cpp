// SPDX-License-Identifier: Apache-2.0
// aclrtGetPhyDevIdByUserDevId: from the user number of a device to the physical one.
#include "support/devices.h"

namespace conformance::aclrtGetPhyDevIdByUserDevId_test {
namespace {

TEST(AclrtGetPhyDevIdByUserDevId, IsTheSameNumberWhenAllDevicesAreVisible) {
  on_new_thread([] {
    for (int32_t number = 0; number < static_cast<int32_t>(device_count()); ++number) {
      int32_t answer = -1;
      EXPECT_OK(aclrtGetPhyDevIdByUserDevId(number, &answer));
      EXPECT_EQ(number, answer);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetPhyDevIdByUserDevId, ChecksNullThenTheNumber) {
  for (const int32_t number : missing_devices()) {
    int32_t answer = 99;
    EXPECT_FAILS(100000, "EH0008", aclrtGetPhyDevIdByUserDevId(number, nullptr));
    EXPECT_FAILS_WITH(107001, aclrtGetPhyDevIdByUserDevId(number, &answer));
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetPhyDevIdByUserDevIdProcess, FollowsTheVisibleDevices,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  int32_t answer = 99;
  EXPECT_OK(aclrtGetPhyDevIdByUserDevId(0, &answer));
  EXPECT_EQ(2, answer);
  EXPECT_OK(aclrtGetPhyDevIdByUserDevId(1, &answer));
  EXPECT_EQ(0, answer);
  answer = 99;
  EXPECT_FAILS_WITH(107001, aclrtGetPhyDevIdByUserDevId(2, &answer));
  EXPECT_EQ(99, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetPhyDevIdByUserDevId_test
