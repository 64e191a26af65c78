// SPDX-License-Identifier: Apache-2.0
// aclrtFunctionGetParamInfo: place and size of a parameter.
#include "support/kernels.h"

namespace conformance::kernels::aclrtFunctionGetParamInfo_test {
namespace {

using AclrtFunctionGetParamInfo = WithKernels;

TEST_F(AclrtFunctionGetParamInfo, ChecksItsArgumentsInOrder) {
  size_t offset = 99;
  size_t size = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetParamInfo(nullptr, 9, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetParamInfo(function(), 9, nullptr, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtFunctionGetParamInfo(&kUnknownSymbol, 9, &offset, &size));
  EXPECT_FAILS_WITH(207000, aclrtFunctionGetParamInfo(function("ct_cpu"), 9, &offset, &size));
  EXPECT_FAILS_WITH(107000, aclrtFunctionGetParamInfo(function("ct_record"), 0, &offset, &size));
  EXPECT_FAILS(107000, "EE1003",
               aclrtFunctionGetParamInfo(function("ct_table"), 3, &offset, &size));
  EXPECT_EQ(99u, offset);
}

TEST_F(AclrtFunctionGetParamInfo, ReadsTheTableAndTakesOneOutput) {
  size_t offset = 0;
  size_t size = 0;
  EXPECT_OK(aclrtFunctionGetParamInfo(function("ct_table"), 2, &offset, nullptr));
  EXPECT_OK(aclrtFunctionGetParamInfo(&kTableSymbol, 1, nullptr, &size));
  EXPECT_EQ(16u, offset);
  EXPECT_EQ(4u, size);
}

}  // namespace
}  // namespace conformance::kernels::aclrtFunctionGetParamInfo_test
