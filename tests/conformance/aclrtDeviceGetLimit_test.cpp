// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetLimit: reads limits for kernels of a device.
#include "support/devices.h"

namespace conformance::aclrtDeviceGetLimit_test {
namespace {

FERRY_PROCESS_TEST(AclrtDeviceGetLimitProcess, TellsTheDefaultsAtFirst) {
  EXPECT_OK(aclrtSetDevice(0));
  size_t value = 0;
  EXPECT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value));
  EXPECT_EQ(32768u, value);
  EXPECT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE, &value));
  EXPECT_EQ(1048576u, value);
  EXPECT_OK(aclrtResetDevice(0));
}

using AclrtDeviceGetLimit = WithDevice;

TEST_F(AclrtDeviceGetLimit, ChecksNullThenLimitThenProductThenContext) {
  size_t value = 99;
  for (int limit = -1; limit < 6; ++limit)
    EXPECT_FAILS(100000, "EH0008",
                 aclrtDeviceGetLimit(static_cast<aclrtDeviceLimit>(limit), nullptr));
  for (const int limit : {-1, 5})
    EXPECT_FAILS(100000, "EH0007",
                 aclrtDeviceGetLimit(static_cast<aclrtDeviceLimit>(limit), &value));
  on_new_thread([&] {
    for (const int limit : {0, 1, 4})
      EXPECT_FAILS(207000, "WE0001",
                   aclrtDeviceGetLimit(static_cast<aclrtDeviceLimit>(limit), &value));
    EXPECT_FAILS(107002, "EE1018", aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value));
  });
  EXPECT_EQ(99u, value);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetLimit_test
