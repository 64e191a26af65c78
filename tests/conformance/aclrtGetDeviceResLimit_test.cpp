// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceResLimit: how many cores of a device kernels may use.
#include "support/core_limits.h"

namespace conformance::aclrtGetDeviceResLimit_test {
namespace {

TEST(AclrtGetDeviceResLimit, IsWhatTheProductHasAtFirst) {
  on_new_thread([] {
    EXPECT_EQ(cores_of_product(kCube), device_limit(kCube));
    EXPECT_EQ(cores_of_product(kVector), device_limit(kVector));
    EXPECT_EQ(nullptr, current_context());
  });
}

FERRY_PROCESS_TEST(AclrtGetDeviceResLimitProcess, DependsOnTheProduct, "FERRY_SOC=Ascend910B3") {
  EXPECT_EQ(20u, device_limit(kCube));
  EXPECT_EQ(40u, device_limit(kVector));
}

FERRY_PROCESS_TEST(AclrtGetDeviceResLimitProcess, Is24And48OnAn910B1, "FERRY_SOC=Ascend910B1") {
  EXPECT_EQ(24u, device_limit(kCube));
  EXPECT_EQ(48u, device_limit(kVector));
}

TEST(AclrtGetDeviceResLimit, ChecksNullThenTypeThenDevice) {
  uint32_t value = 99;
  for (const int32_t device : missing_devices()) {
    EXPECT_FAILS(100000, "EH0008", aclrtGetDeviceResLimit(device, kNoType, nullptr));
    EXPECT_FAILS(107000, "EE1003", aclrtGetDeviceResLimit(device, kNoType, &value));
    EXPECT_FAILS_WITH(107001, aclrtGetDeviceResLimit(device, kCube, &value));
  }
  EXPECT_FAILS(107000, "EE1003", aclrtGetDeviceResLimit(0, type_of(-1), &value));
  EXPECT_EQ(99u, value);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceResLimit_test
