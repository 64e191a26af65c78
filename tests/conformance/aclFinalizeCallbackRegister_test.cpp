// SPDX-License-Identifier: Apache-2.0
// aclFinalizeCallbackRegister: functions that are called when the library is finalised. Each test
// runs in its own process.
#include "support/devices.h"

namespace conformance::aclFinalizeCallbackRegister_test {
namespace {

aclError count(void* user_data) {
  ++*static_cast<int*>(user_data);
  return ACL_SUCCESS;
}

aclError count_too(void* user_data) {
  return count(user_data);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, IsCalledByAclFinalize) {
  int calls = 0;
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(0, calls);
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(1, calls);
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
  EXPECT_EQ(1, calls);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, IsCalledByTheLastAclFinalizeReference) {
  int calls = 0;
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_EQ(0, calls);
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_EQ(1, calls);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, KeepsAPairOnceAndPairsApart) {
  int model = 0, other = 0, second = 0;
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &model));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &model));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, count, &other));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count_too, &second));
  ASSERT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(1, model);
  EXPECT_EQ(1, other);
  EXPECT_EQ(1, second);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, HandsItsFailureOn) {
  const auto refuse = [](void*) -> aclError { return ACL_ERROR_FAILURE; };
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, refuse, nullptr));
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_FAILURE, aclFinalize());
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, nullptr, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclFinalizeCallbackRegister, LetsTheFunctionUseTheLibrary) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  const auto use = [](void*) -> aclError {
    { DeviceBuffer buffer(64); }
    return aclrtSynchronizeDevice();
  };
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, use, nullptr));
  EXPECT_OK(aclFinalize());
}

}  // namespace
}  // namespace conformance::aclFinalizeCallbackRegister_test
