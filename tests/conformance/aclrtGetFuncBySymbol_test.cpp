// SPDX-License-Identifier: Apache-2.0
// aclrtGetFuncBySymbol: kernels by the address of a host function.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetFuncBySymbol_test {
namespace {

using AclrtGetFuncBySymbol = WithKernels;

TEST_F(AclrtGetFuncBySymbol, ChecksItsArgumentsInOrder) {
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtGetFuncBySymbol(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtGetFuncBySymbol(&kTableSymbol, nullptr));
  on_new_thread(
      [&] { EXPECT_FAILS(107002, "EE1018", aclrtGetFuncBySymbol(&kUnknownSymbol, &found)); });
  EXPECT_FAILS(107044, "EE1017", aclrtGetFuncBySymbol(&kUnknownSymbol, &found));
  EXPECT_EQ(untouched(), found);
}

TEST_F(AclrtGetFuncBySymbol, FindsTheKernelOfTheStandIn) {
  aclrtFuncHandle found = nullptr;
  aclrtFuncHandle again = nullptr;
  ASSERT_OK(aclrtGetFuncBySymbol(&kTableSymbol, &found));
  ASSERT_OK(aclrtGetFuncBySymbol(&kTableSymbol, &again));
  EXPECT_EQ(found, again);
  char name[16] = {};
  EXPECT_OK(aclrtGetFunctionName(found, sizeof name, name));
  EXPECT_STREQ("ct_table", name);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetFuncBySymbol_test
