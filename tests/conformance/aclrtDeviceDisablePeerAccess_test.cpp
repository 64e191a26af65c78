// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceDisablePeerAccess: disables access to another device.
#include "support/devices.h"

namespace conformance::aclrtDeviceDisablePeerAccess_test {
namespace {

using AclrtDeviceDisablePeerAccess = WithDevice;

TEST_F(AclrtDeviceDisablePeerAccess, NeedsAContextBeforeADevice) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtDeviceDisablePeerAccess(-1));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtDeviceDisablePeerAccess, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceDisablePeerAccess(device));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
  }
}

TEST_F(AclrtDeviceDisablePeerAccess, RefusesTheDeviceItself) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceDisablePeerAccess(0));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

FERRY_PROCESS_TEST(AclrtDeviceDisablePeerAccessProcess, RefusesWhatIsNotOn, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceDisablePeerAccess(1));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceDisablePeerAccess(1));
  // The other direction was never enabled.
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceDisablePeerAccess(0));
}

FERRY_PROCESS_TEST(AclrtDeviceDisablePeerAccessProcess, EndsCopiesBetweenTheDevices,
                   "FERRY_DEVICES=cpu:2") {
  void *near = nullptr, *far = nullptr;
  ASSERT_OK(aclrtSetDevice(1));
  ASSERT_OK(aclrtMalloc(&far, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtMalloc(&near, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(near, 64, 0, 64));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtMemcpy(far, 64, near, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(far, 64, near, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  int32_t status = -1;
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(0, status);
}

}  // namespace
}  // namespace conformance::aclrtDeviceDisablePeerAccess_test
