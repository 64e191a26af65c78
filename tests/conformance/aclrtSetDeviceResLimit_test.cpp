// SPDX-License-Identifier: Apache-2.0
// aclrtSetDeviceResLimit: limits how many cores of a device kernels may use.
#include "support/core_limits.h"

namespace conformance::aclrtSetDeviceResLimit_test {
namespace {

TEST(AclrtSetDeviceResLimit, TheLastOneCountsForTheProcess) {
  for (const uint32_t limit : {cores_of_product(kCube), 3u, 0u, 7u}) {
    EXPECT_OK(aclrtSetDeviceResLimit(0, kCube, limit));
    on_new_thread([&] { EXPECT_EQ(limit, device_limit(kCube)); });
    EXPECT_EQ(cores_of_product(kVector), device_limit(kVector));
  }
  EXPECT_OK(aclrtResetDeviceResLimit(0));
}

FERRY_PROCESS_TEST(AclrtSetDeviceResLimitProcess, ConcernsOneDevice, "FERRY_DEVICES=cpu:2") {
  EXPECT_OK(aclrtSetDeviceResLimit(1, kVector, 5));
  EXPECT_EQ(5u, device_limit(kVector, 1));
  EXPECT_EQ(cores_of_product(kVector), device_limit(kVector, 0));
}

TEST(AclrtSetDeviceResLimit, ChecksTypeThenDeviceThenValue) {
  for (const int32_t device : missing_devices()) {
    EXPECT_FAILS(107000, "EE1003", aclrtSetDeviceResLimit(device, kNoType, UINT32_MAX));
    EXPECT_FAILS_WITH(107001, aclrtSetDeviceResLimit(device, kCube, UINT32_MAX));
  }
  for (const aclrtDevResLimitType type : {kCube, kVector}) {
    EXPECT_FAILS(107000, "EE1003", aclrtSetDeviceResLimit(0, type, cores_of_product(type) + 1));
    EXPECT_FAILS(107000, "EE1003", aclrtSetDeviceResLimit(0, type, UINT32_MAX));
    EXPECT_EQ(cores_of_product(type), device_limit(type));
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtSetDeviceResLimit_test
