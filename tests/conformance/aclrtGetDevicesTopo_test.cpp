// SPDX-License-Identifier: Apache-2.0
// aclrtGetDevicesTopo: the connection between two devices.
#include "support/devices.h"

#include <bitset>

namespace conformance::aclrtGetDevicesTopo_test {
namespace {

TEST(AclrtGetDevicesTopo, RefusesNullBeforeTheDevices) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDevicesTopo(0, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetDevicesTopo(UINT32_MAX, UINT32_MAX, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetDevicesTopo, RefusesNumbersWithoutADeviceOnEitherSide) {
  for (const uint32_t device : missing_device_numbers()) {
    clear_errors();
    uint64_t value = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetDevicesTopo(device, 0, &value));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetDevicesTopo(0, device, &value));
    EXPECT_EQ(99u, value);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetDevicesTopoProcess, AnswersOneKnownBitBothWays, "FERRY_DEVICES=cpu:2") {
  uint64_t forth = 0, back = 0;
  EXPECT_OK(aclrtGetDevicesTopo(0, 1, &forth));
  EXPECT_OK(aclrtGetDevicesTopo(1, 0, &back));
  EXPECT_EQ(forth, back);
  EXPECT_EQ(1u, std::bitset<64>(forth).count());
  EXPECT_LE(forth, ACL_RT_DEVS_TOPOLOGY_HCCS_SW);
  EXPECT_EQ(nullptr, current_context());
}

}  // namespace
}  // namespace conformance::aclrtGetDevicesTopo_test
