// SPDX-License-Identifier: Apache-2.0
// aclFinalizeCallbackUnRegister: undoes aclFinalizeCallbackRegister. Each test runs in its own
// process.
#include "support/devices.h"

namespace conformance::aclFinalizeCallbackUnRegister_test {
namespace {

aclError count(void* user_data) {
  ++*static_cast<int*>(user_data);
  return ACL_SUCCESS;
}

FERRY_PROCESS_TEST(AclFinalizeCallbackUnRegister, EndsTheCallsOfOnePair) {
  int model = 0, other = 0;
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &model));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, count, &other));
  EXPECT_OK(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count));
  ASSERT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(0, model);
  EXPECT_EQ(1, other);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackUnRegister, AcceptsAPairThatIsNotRegistered) {
  EXPECT_OK(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count));
}

FERRY_PROCESS_TEST(AclFinalizeCallbackUnRegister, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

aclError take_itself_back(void* user_data) {
  ++*static_cast<int*>(user_data);
  return aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, take_itself_back);
}

FERRY_PROCESS_TEST(AclFinalizeCallbackUnRegister, MayBeCalledByTheFunctionItself) {
  int calls = 0;
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, take_itself_back, &calls));
  for (int round = 0; round < 2; ++round) {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclFinalize());
  }
  EXPECT_EQ(1, calls);
}

}  // namespace
}  // namespace conformance::aclFinalizeCallbackUnRegister_test
