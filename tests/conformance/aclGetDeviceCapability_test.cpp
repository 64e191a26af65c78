// SPDX-License-Identifier: Apache-2.0
// aclGetDeviceCapability: properties of a device by its number.
#include "support/conformance.h"

namespace conformance::aclGetDeviceCapability_test {
namespace {

aclDeviceInfo info(int number) {
  return static_cast<aclDeviceInfo>(number);
}

TEST(AclGetDeviceCapability, TellsEveryPropertyWithoutAContext) {
  for (const aclDeviceInfo property :
       {ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEVICE_INFO_VECTOR_CORE_NUM, ACL_DEVICE_INFO_L2_SIZE}) {
    int64_t value = -77;
    EXPECT_OK(aclGetDeviceCapability(0, property, &value));
    EXPECT_GT(value, 0) << "property " << property;
    int64_t again = -77;
    on_new_thread([&] { EXPECT_OK(aclGetDeviceCapability(0, property, &again)); });
    EXPECT_EQ(again, value);
  }
}

TEST(AclGetDeviceCapability, RefusesNullAndUnknownPropertiesBeforeTheDevice) {
  clear_errors();
  int64_t value = -77;
  for (const uint32_t device : {0u, 99u}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclGetDeviceCapability(device, ACL_DEVICE_INFO_L2_SIZE, nullptr));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclGetDeviceCapability(device, ACL_DEVICE_INFO_UNDEFINED, nullptr));
    for (const int number : {-2, -1, 3, 100, 0x7fffffff}) {
      EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                        aclGetDeviceCapability(device, info(number), &value));
    }
  }
  EXPECT_EQ(value, -77);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetDeviceCapability, RefusesADeviceThereIsNot) {
  uint32_t devices = 0;
  ASSERT_OK(aclrtGetDeviceCount(&devices));
  for (const uint32_t device : {devices, devices + 1, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    int64_t value = -77;
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclGetDeviceCapability(device, ACL_DEVICE_INFO_AI_CORE_NUM, &value));
    EXPECT_EQ(value, -77);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  }
}

FERRY_PROCESS_TEST(AclGetDeviceCapabilityProcess, TellsTheSameForAllDevicesOfAProduct,
                   "FERRY_DEVICES=cpu:2") {
  for (int number = 0; number < 3; ++number) {
    int64_t first = -1;
    int64_t second = -2;
    EXPECT_OK(aclGetDeviceCapability(0, info(number), &first));
    EXPECT_OK(aclGetDeviceCapability(1, info(number), &second));
    EXPECT_EQ(first, second);
  }
  int64_t value = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclGetDeviceCapability(2, info(0), &value));
}

FERRY_PROCESS_TEST(AclGetDeviceCapabilityProcess, NeedsAnEnvironmentThatIsUnderstood,
                   "FERRY_DEVICES=abacus") {
  int64_t value = -77;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclGetDeviceCapability(0, info(0), &value));
  EXPECT_EQ(value, -77);
}

}  // namespace
}  // namespace conformance::aclGetDeviceCapability_test
