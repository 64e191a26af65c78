// SPDX-License-Identifier: Apache-2.0
// aclrtGetPrimaryCtxState: whether the default context of a device exists.
#include "support/devices.h"

namespace conformance::aclrtGetPrimaryCtxState_test {
namespace {

int32_t active() {
  uint32_t flags = 99;
  int32_t answer = 99;
  EXPECT_OK(aclrtGetPrimaryCtxState(0, &flags, &answer));
  EXPECT_EQ(0u, flags);
  return answer;
}

TEST(AclrtGetPrimaryCtxState, FollowsSetAndReset) {
  EXPECT_EQ(0, active());
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(1, active());
  on_new_thread([] { EXPECT_EQ(1, active()); });  // needs no context
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(1, active());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(0, active());
}

TEST(AclrtGetPrimaryCtxState, DoesNotCountExplicitContexts) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_EQ(0, active());
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(AclrtGetPrimaryCtxState, AcceptsNoFlags) {
  int32_t answer = 99;
  EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &answer));
  EXPECT_EQ(0, answer);
}

TEST(AclrtGetPrimaryCtxState, RefusesNullBeforeTheDevice) {
  clear_errors();
  uint32_t flags = 99;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetPrimaryCtxState(0, &flags, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetPrimaryCtxState(-1, nullptr, nullptr));
  EXPECT_EQ(99u, flags);
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetPrimaryCtxState, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    uint32_t flags = 99;
    int32_t answer = 99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtGetPrimaryCtxState(device, &flags, &answer));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(99u, flags);
    EXPECT_EQ(99, answer);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetPrimaryCtxStateProcess, TellsDevicesApart, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  int32_t answer = 99;
  EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &answer));
  EXPECT_EQ(0, answer);
  EXPECT_OK(aclrtGetPrimaryCtxState(1, nullptr, &answer));
  EXPECT_EQ(1, answer);
}

}  // namespace
}  // namespace conformance::aclrtGetPrimaryCtxState_test
