// SPDX-License-Identifier: Apache-2.0
// aclrtFunctionGetParamCount: how many parameters a kernel has.
#include "support/kernels.h"

namespace conformance::kernels::aclrtFunctionGetParamCount_test {
namespace {

using AclrtFunctionGetParamCount = WithKernels;

TEST_F(AclrtFunctionGetParamCount, ChecksItsArgumentsInOrder) {
  size_t count = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetParamCount(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetParamCount(function(), nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtFunctionGetParamCount(&kUnknownSymbol, &count));
  EXPECT_FAILS(107017, "EE1017", aclrtFunctionGetParamCount(dead_function(), &count));
  EXPECT_FAILS_WITH(207000, aclrtFunctionGetParamCount(function("ct_cpu"), &count));
  EXPECT_FAILS_WITH(107000, aclrtFunctionGetParamCount(function("ct_record"), &count));
  EXPECT_EQ(99u, count);
}

TEST_F(AclrtFunctionGetParamCount, CountsTheTableOfAFunctionOrSymbol) {
  size_t count = 0;
  EXPECT_OK(aclrtFunctionGetParamCount(function("ct_table"), &count));
  EXPECT_EQ(3u, count);
  EXPECT_OK(aclrtFunctionGetParamCount(&kTableSymbol, &count));
  EXPECT_EQ(3u, count);
}

}  // namespace
}  // namespace conformance::kernels::aclrtFunctionGetParamCount_test
