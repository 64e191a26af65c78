// SPDX-License-Identifier: Apache-2.0
// aclrtGetCurrentContext: the context of a thread.
#include "support/devices.h"

namespace conformance::aclrtGetCurrentContext_test {
namespace {

using AclrtGetCurrentContext = WithDevice;

TEST_F(AclrtGetCurrentContext, TellsTheDefaultContext) {
  aclrtContext first = nullptr, second = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&first));
  EXPECT_OK(aclrtGetCurrentContext(&second));
  EXPECT_NE(nullptr, first);
  EXPECT_EQ(first, second);
}

TEST_F(AclrtGetCurrentContext, TellsAnExplicitContext) {
  aclrtContext made = nullptr, told = nullptr;
  ASSERT_OK(aclrtCreateContext(&made, 0));
  EXPECT_OK(aclrtGetCurrentContext(&told));
  EXPECT_EQ(made, told);
  EXPECT_OK(aclrtDestroyContext(made));
}

TEST_F(AclrtGetCurrentContext, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetCurrentContext(nullptr));
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetCurrentContext(nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtGetCurrentContext, StoresNullWhenThereIsNoneAndLeavesTheLastErrorAlone) {
  on_new_thread([] {
    int marker = 0;
    aclrtContext context = &marker;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetCurrentContext(&context));
    EXPECT_EQ(nullptr, context);
    EXPECT_EQ(ACL_SUCCESS, last_error());

    aclrtSetDevice(-1);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetCurrentContext(&context));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
  });
}

TEST_F(AclrtGetCurrentContext, StoresNullWhenTheContextWasDestroyed) {
  on_new_thread([] {
    aclrtContext made = nullptr;
    ASSERT_OK(aclrtCreateContext(&made, 0));
    EXPECT_OK(aclrtDestroyContext(made));
    aclrtContext told = made;
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetCurrentContext(&told));
    EXPECT_EQ(nullptr, told);
  });
}

}  // namespace
}  // namespace conformance::aclrtGetCurrentContext_test
