// SPDX-License-Identifier: Apache-2.0
// aclInitCallbackUnRegister: undoes aclInitCallbackRegister. Each test runs in its own process.
#include "support/devices.h"

namespace conformance::aclInitCallbackUnRegister_test {
namespace {

aclError count(const char*, size_t, void* user_data) {
  ++*static_cast<int*>(user_data);
  return ACL_SUCCESS;
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, EndsTheCalls) {
  int calls = 0;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(0, calls);
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, TakesBackOnePairOnly) {
  int calls = 0;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, count, &calls));
  EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, count));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, calls);
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, LetsThePairBeRegisteredAgain) {
  int calls = 0;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count));
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count, &calls));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, calls);
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, AcceptsAPairThatIsNotRegistered) {
  EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count));
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

aclError take_itself_back(const char*, size_t, void* user_data) {
  ++*static_cast<int*>(user_data);
  return aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, take_itself_back);
}

FERRY_PROCESS_TEST(AclInitCallbackUnRegister, MayBeCalledByTheFunctionItself) {
  int calls = 0;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, take_itself_back, &calls));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, calls);
}

}  // namespace
}  // namespace conformance::aclInitCallbackUnRegister_test
