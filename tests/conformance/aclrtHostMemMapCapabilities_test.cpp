// SPDX-License-Identifier: Apache-2.0
// aclrtHostMemMapCapabilities: which parts of a device can access registered host memory.
#include "support/conformance.h"

namespace conformance::aclrtHostMemMapCapabilities_test {
namespace {

constexpr aclrtHostMemMapCapability kUntouched = ACL_RT_HOST_MEM_MAP_SUPPORTED;

TEST(AclrtHostMemMapCapabilities, AnswersForEveryPartWithoutAContext) {
  for (int part = 0; part <= 9; ++part) {
    aclrtHostMemMapCapability capability = {};
    EXPECT_OK(aclrtHostMemMapCapabilities(0, static_cast<aclrtHacType>(part), &capability));
    EXPECT_LE(static_cast<unsigned>(capability), 1u) << "part " << part;
  }
}

TEST(AclrtHostMemMapCapabilities, SaysThatTheCopyEnginesReachIt) {
  for (const aclrtHacType part : {ACL_RT_HAC_TYPE_PCIEDMA, ACL_RT_HAC_TYPE_SDMA}) {
    aclrtHostMemMapCapability capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
    EXPECT_OK(aclrtHostMemMapCapabilities(0, part, &capability));
    EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
  }
}

TEST(AclrtHostMemMapCapabilities, RefusesNullBeforeTheDeviceAndThePart) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_STARS, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtHostMemMapCapabilities(99, static_cast<aclrtHacType>(10), nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclrtHostMemMapCapabilities, RefusesADeviceThereIsNotBeforeThePart) {
  uint32_t devices = 0;
  ASSERT_OK(aclrtGetDeviceCount(&devices));
  for (const uint32_t device : {devices, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    for (const int part : {0, 10}) {
      aclrtHostMemMapCapability capability = kUntouched;
      clear_errors();
      EXPECT_FAILS_WITH(
          ACL_ERROR_RT_INVALID_DEVICEID,
          aclrtHostMemMapCapabilities(device, static_cast<aclrtHacType>(part), &capability));
      EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
      EXPECT_EQ(capability, kUntouched);
    }
  }
}

TEST(AclrtHostMemMapCapabilities, RefusesAPartThereIsNot) {
  for (const int part : {-1, 10, 0x7fffffff}) {
    aclrtHostMemMapCapability capability = kUntouched;
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtHostMemMapCapabilities(0, static_cast<aclrtHacType>(part), &capability));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(capability, kUntouched);
  }
}

FERRY_PROCESS_TEST(AclrtHostMemMapCapabilitiesProcess, AnswersForEveryDevice,
                   "FERRY_DEVICES=cpu:2") {
  for (const uint32_t device : {0u, 1u}) {
    aclrtHostMemMapCapability capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
    EXPECT_OK(aclrtHostMemMapCapabilities(device, ACL_RT_HAC_TYPE_SDMA, &capability));
    EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
  }
}

}  // namespace
}  // namespace conformance::aclrtHostMemMapCapabilities_test
