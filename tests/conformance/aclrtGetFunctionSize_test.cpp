// SPDX-License-Identifier: Apache-2.0
// aclrtGetFunctionSize: how long the code of a kernel is.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetFunctionSize_test {
namespace {

using AclrtGetFunctionSize = WithKernels;

TEST_F(AclrtGetFunctionSize, ChecksItsArgumentsInOrder) {
  size_t cube = 7;
  size_t vector = 7;
  EXPECT_FAILS(107000, "EE1004", aclrtGetFunctionSize(nullptr, nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtGetFunctionSize(function(), nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtGetFunctionSize(function(), &cube, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtGetFunctionSize(dead_function(), &cube, &vector));
  EXPECT_FAILS_WITH(107000, aclrtGetFunctionSize(function("ct_cpu"), &cube, &vector));
  EXPECT_EQ(7u, cube);
}

TEST_F(AclrtGetFunctionSize, IsInsideTheBinary) {
  size_t cube = 0;
  size_t vector = 7;
  EXPECT_OK(aclrtGetFunctionSize(function("ct_record"), &cube, &vector));
  EXPECT_GT(cube, 0u);
  EXPECT_LE(cube, kElf.size());
  EXPECT_EQ(0u, vector);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetFunctionSize_test
