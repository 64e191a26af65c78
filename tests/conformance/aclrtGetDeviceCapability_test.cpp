// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceCapability: features of a device.
#include "support/devices.h"

namespace conformance::aclrtGetDeviceCapability_test {
namespace {

TEST(AclrtGetDeviceCapability, AnswersBothFeaturesWithoutAContext) {
  on_new_thread([] {
    for (const aclrtDevFeatureType feature :
         {ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV}) {
      int32_t value = -99;
      EXPECT_OK(aclrtGetDeviceCapability(0, feature, &value));
      EXPECT_TRUE(value == ACL_DEV_FEATURE_SUPPORT || value == ACL_DEV_FEATURE_NOT_SUPPORT)
          << value;
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetDeviceCapability, QueuedKernelsCanBeChangedOnTheDefaultProduct) {
  int32_t value = -99;
  EXPECT_OK(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value));
  EXPECT_EQ(ACL_DEV_FEATURE_SUPPORT, value);
  EXPECT_OK(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value));
  EXPECT_EQ(ACL_DEV_FEATURE_NOT_SUPPORT, value);
}

FERRY_PROCESS_TEST(AclrtGetDeviceCapabilityProcess, NotOnEarlierProducts, "FERRY_SOC=Ascend310P3") {
  int32_t value = -99;
  EXPECT_OK(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value));
  EXPECT_EQ(ACL_DEV_FEATURE_NOT_SUPPORT, value);
}

TEST(AclrtGetDeviceCapability, RefusesNullFirst) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetDeviceCapability(-1, static_cast<aclrtDevFeatureType>(0), nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetDeviceCapability, RefusesNumbersWithoutADeviceBeforeTheFeature) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    int32_t value = -99;
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_INVALID_DEVICEID,
        aclrtGetDeviceCapability(device, static_cast<aclrtDevFeatureType>(0), &value));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(-99, value);
  }
  clear_errors();
}

TEST(AclrtGetDeviceCapability, RefusesUnknownFeatures) {
  for (const int feature : {0, 2, 20, 22, -1, INT_MAX}) {
    clear_errors();
    int32_t value = -99;
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtGetDeviceCapability(0, static_cast<aclrtDevFeatureType>(feature), &value));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error()) << feature;
    EXPECT_EQ(-99, value);
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceCapability_test
