// SPDX-License-Identifier: Apache-2.0
// aclrtFunctionGetBinary: the binary of a kernel.
#include "support/kernels.h"

namespace conformance::kernels::aclrtFunctionGetBinary_test {
namespace {

using AclrtFunctionGetBinary = WithKernels;

TEST_F(AclrtFunctionGetBinary, ChecksItsArgumentsInOrder) {
  aclrtBinHandle found = untouched();
  EXPECT_FAILS(107000, "EE1004", aclrtFunctionGetBinary(nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtFunctionGetBinary(function(), nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtFunctionGetBinary(dead_function(), &found));
  EXPECT_FAILS_WITH(107000, aclrtFunctionGetBinary(function("ct_cpu"), &found));
  aclrtFuncHandle of_symbol = nullptr;
  ASSERT_OK(aclrtGetFuncBySymbol(&kTableSymbol, &of_symbol));
  EXPECT_FAILS_WITH(107000, aclrtFunctionGetBinary(of_symbol, &found));
  EXPECT_EQ(untouched(), found);
  EXPECT_OK(aclrtFunctionGetBinary(function(), &found));
  EXPECT_EQ(binary_, found);
}

}  // namespace
}  // namespace conformance::kernels::aclrtFunctionGetBinary_test
