// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsGetHandleMemSize: room for a list in memory of the program.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsGetHandleMemSize_test {
namespace {

using AclrtKernelArgsGetHandleMemSize = WithKernels;

TEST_F(AclrtKernelArgsGetHandleMemSize, RefusesNullAndDeadHandles) {
  size_t size = 0;
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetHandleMemSize(nullptr, &size));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetHandleMemSize(function(), nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsGetHandleMemSize(dead_function(), &size));
}

TEST_F(AclrtKernelArgsGetHandleMemSize, GrowsWithTheNumberOfParameters) {
  size_t few = 0;
  size_t many = 0;
  EXPECT_OK(aclrtKernelArgsGetHandleMemSize(function("ct_table"), &few));
  EXPECT_OK(aclrtKernelArgsGetHandleMemSize(function("ct_record"), &many));
  EXPECT_GT(few, 0u);
  EXPECT_GT(many, few);
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsGetHandleMemSize_test
