// SPDX-License-Identifier: Apache-2.0
// aclrtCtxGetCurrentDefaultStream: the stream that NULL stands for.
#include "support/devices.h"

namespace conformance::aclrtCtxGetCurrentDefaultStream_test {
namespace {

using AclrtCtxGetCurrentDefaultStream = WithDevice;

TEST_F(AclrtCtxGetCurrentDefaultStream, NamesOneStreamOfTheContext) {
  aclrtStream first = nullptr, second = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&first));
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&second));
  EXPECT_NE(nullptr, first);
  EXPECT_EQ(first, second);
  const aclrtContext mine = current_context();
  on_new_thread([&] {
    ASSERT_OK(aclrtSetCurrentContext(mine));
    aclrtStream third = nullptr;
    EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&third));
    EXPECT_EQ(first, third);
  });
}

TEST_F(AclrtCtxGetCurrentDefaultStream, IsTheStreamThatNullNames) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  int32_t by_handle = -1, by_null = -2;
  EXPECT_OK(aclrtStreamGetId(stream, &by_handle));
  EXPECT_OK(aclrtStreamGetId(nullptr, &by_null));
  EXPECT_EQ(by_handle, by_null);
  {
    Gate gate(nullptr);
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    EXPECT_OK(aclrtStreamQuery(stream, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtCtxGetCurrentDefaultStream, DiffersFromStreamsThatAreMade) {
  aclrtStream made = nullptr, told = nullptr;
  ASSERT_OK(aclrtCreateStream(&made));
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&told));
  EXPECT_NE(made, told);
  EXPECT_OK(aclrtDestroyStream(made));
}

TEST_F(AclrtCtxGetCurrentDefaultStream, NamesAStreamThatCannotBeDestroyed) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStream(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtCtxGetCurrentDefaultStream, RefusesNullBeforeTheContext) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCtxGetCurrentDefaultStream(nullptr));
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCtxGetCurrentDefaultStream(nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtCtxGetCurrentDefaultStream, NeedsAContext) {
  on_new_thread([] {
    int marker = 0;
    aclrtStream stream = &marker;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtCtxGetCurrentDefaultStream(&stream));
    EXPECT_EQ(&marker, stream);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

}  // namespace
}  // namespace conformance::aclrtCtxGetCurrentDefaultStream_test
