// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceUtilizationRate: the utilisation of a device.
#include "support/devices.h"
#include "support/needs.h"

namespace conformance::aclrtGetDeviceUtilizationRate_test {
namespace {

void expect_percent(int32_t value) {
  EXPECT_GE(value, -1);
  EXPECT_LE(value, 100);
}

TEST(AclrtGetDeviceUtilizationRate, AnswersPercentagesWithoutAContext) {
  on_new_thread([] {
    aclrtUtilizationInfo info = {-7, -7, -7, -7, nullptr};
    EXPECT_OK(aclrtGetDeviceUtilizationRate(0, &info));
    expect_percent(info.cubeUtilization);
    expect_percent(info.vectorUtilization);
    expect_percent(info.aicpuUtilization);
    expect_percent(info.memoryUtilization);
    EXPECT_EQ(nullptr, info.utilizationExtend);
  });
}

TEST(AclrtGetDeviceUtilizationRate, RefusesNullBeforeTheDevice) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDeviceUtilizationRate(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDeviceUtilizationRate(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetDeviceUtilizationRate, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    aclrtUtilizationInfo info = {-7, -7, -7, -7, nullptr};
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetDeviceUtilizationRate(device, &info));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(-7, info.memoryUtilization);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetDeviceUtilizationRateProcess, TellsHowMuchMemoryIsInUse,
                   "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtUtilizationInfo info = {};
  EXPECT_OK(aclrtGetDeviceUtilizationRate(0, &info));
  EXPECT_LE(info.memoryUtilization, 10);
  DeviceBuffer half(size_t{32} << 20);
  EXPECT_OK(aclrtGetDeviceUtilizationRate(0, &info));
  EXPECT_GE(info.memoryUtilization, 50);
  EXPECT_LE(info.memoryUtilization, 60);
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceUtilizationRate_test
