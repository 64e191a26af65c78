// SPDX-License-Identifier: Apache-2.0
// aclrtFunctionGetAvailDynUbufPerBlock: local memory of a block.
#include "support/kernels.h"

namespace conformance::kernels::aclrtFunctionGetAvailDynUbufPerBlock_test {
namespace {

using AclrtFunctionGetAvailDynUbufPerBlock = WithKernels;

TEST_F(AclrtFunctionGetAvailDynUbufPerBlock, ChecksItsArgumentsInOrder) {
  size_t size = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetAvailDynUbufPerBlock(nullptr, 1, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtFunctionGetAvailDynUbufPerBlock(function(), 1, nullptr));
  EXPECT_FAILS(100000, "EH0007", aclrtFunctionGetAvailDynUbufPerBlock(function(), 1, &size));
  EXPECT_FAILS(107017, "EE1017", aclrtFunctionGetAvailDynUbufPerBlock(dead_function(), 0, &size));
  EXPECT_EQ(99u, size);
}

TEST_F(AclrtFunctionGetAvailDynUbufPerBlock, IsZeroUnlessTheKernelIsAGridOfThreads) {
  size_t size = 99;
  EXPECT_OK(aclrtFunctionGetAvailDynUbufPerBlock(function(), 0, &size));
  EXPECT_EQ(0u, size);
}

}  // namespace
}  // namespace conformance::kernels::aclrtFunctionGetAvailDynUbufPerBlock_test
