// SPDX-License-Identifier: Apache-2.0
// aclrtGetDevice: the device of the current context.
#include "support/devices.h"

namespace conformance::aclrtGetDevice_test {
namespace {

using AclrtGetDevice = WithDevice;

TEST_F(AclrtGetDevice, TellsTheDeviceOfTheContext) {
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(0, device);
}

TEST_F(AclrtGetDevice, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDevice(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtGetDevice, LooksAtThePointerFirst) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDevice(nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtGetDevice, FailsWithoutAContextAndWritesNothing) {
  on_new_thread([] {
    int32_t device = 77;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetDevice(&device));
    EXPECT_EQ(77, device);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtGetDevice, FailsWhenTheContextWasDestroyed) {
  on_new_thread([] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    int32_t device = -1;
    EXPECT_OK(aclrtGetDevice(&device));
    EXPECT_EQ(0, device);
    EXPECT_OK(aclrtDestroyContext(context));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetDevice(&device));
  });
}

FERRY_PROCESS_TEST(AclrtGetDeviceProcess, FollowsTheContext, "FERRY_DEVICES=cpu:3") {
  aclrtContext contexts[3] = {};
  for (int32_t device = 0; device < 3; ++device)
    ASSERT_OK(aclrtCreateContext(&contexts[device], device));
  for (int32_t device = 2; device >= 0; --device) {
    int32_t answer = -1;
    ASSERT_OK(aclrtSetCurrentContext(contexts[device]));
    EXPECT_OK(aclrtGetDevice(&answer));
    EXPECT_EQ(device, answer);
  }
}

}  // namespace
}  // namespace conformance::aclrtGetDevice_test
