// SPDX-License-Identifier: Apache-2.0
// aclrtResetDeviceResLimit: removes the limits of a device.
#include "support/core_limits.h"

namespace conformance::aclrtResetDeviceResLimit_test {
namespace {

TEST(AclrtResetDeviceResLimit, RemovesBothLimits) {
  EXPECT_OK(aclrtSetDeviceResLimit(0, kCube, 1));
  EXPECT_OK(aclrtSetDeviceResLimit(0, kVector, 2));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
  EXPECT_EQ(cores_of_product(kCube), device_limit(kCube));
  EXPECT_EQ(cores_of_product(kVector), device_limit(kVector));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
}

TEST(AclrtResetDeviceResLimit, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices())
    EXPECT_FAILS_WITH(107001, aclrtResetDeviceResLimit(device));
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtResetDeviceResLimit_test
