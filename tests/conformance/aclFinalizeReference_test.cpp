// SPDX-License-Identifier: Apache-2.0
// aclFinalizeReference: undoes one call of aclInit. Each test runs in its own process.
#include "support/devices.h"

namespace conformance::aclFinalizeReference_test {
namespace {

FERRY_PROCESS_TEST(AclFinalizeReference, CountsDownToTheEnd) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  for (const uint64_t expected : {2u, 1u, 0u}) {
    uint64_t count = 99;
    EXPECT_OK(aclFinalizeReference(&count));
    EXPECT_EQ(expected, count);
  }
  uint64_t count = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(&count));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclFinalizeReference, AcceptsNull) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(nullptr));
}

FERRY_PROCESS_TEST(AclFinalizeReference, FailsWithoutAclInit) {
  uint64_t count = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(&count));
  EXPECT_OK(aclInit(nullptr));
}

FERRY_PROCESS_TEST(AclFinalizeReference, EndsTheUseWithTheLast) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
  EXPECT_OK(aclInit(nullptr));  // not "repeated": it starts over
}

FERRY_PROCESS_TEST(AclFinalizeReference, LeavesTheCountOpenBeforeTheLast) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_OK(aclFinalize());
}

FERRY_PROCESS_TEST(AclFinalizeReference, CountsOnManyThreads) {
  ASSERT_OK(aclInit(nullptr));
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  std::atomic<uint64_t> sum{0};
  on_threads(8, [&] {
    uint64_t count = 99;
    EXPECT_OK(aclFinalizeReference(&count));
    sum += count;
  });
  EXPECT_EQ(28u, sum);  // 7 + 6 + ... + 0: each count was returned once
}

}  // namespace
}  // namespace conformance::aclFinalizeReference_test
