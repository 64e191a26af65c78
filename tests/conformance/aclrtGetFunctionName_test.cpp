// SPDX-License-Identifier: Apache-2.0
// aclrtGetFunctionName: the name of a kernel.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetFunctionName_test {
namespace {

using AclrtGetFunctionName = WithKernels;

TEST_F(AclrtGetFunctionName, ChecksItsArgumentsInOrder) {
  char name[16] = "untouched";
  EXPECT_FAILS(100000, "EH0008", aclrtGetFunctionName(nullptr, 0, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtGetFunctionName(nullptr, 0, name));
  EXPECT_FAILS(107017, "EE1017", aclrtGetFunctionName(dead_function(), 16, name));
  EXPECT_FAILS(107000, "EE1003", aclrtGetFunctionName(function(), 0, name));
  EXPECT_FAILS(107000, "EE1003", aclrtGetFunctionName(function(), 9, name));
  EXPECT_STREQ("untouched", name);
  EXPECT_OK(aclrtGetFunctionName(function(), 10, name));
  EXPECT_STREQ("ct_record", name);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetFunctionName_test
