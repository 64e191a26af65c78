// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsGetMemSize: room for an argument block.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsGetMemSize_test {
namespace {

using AclrtKernelArgsGetMemSize = WithKernels;

TEST_F(AclrtKernelArgsGetMemSize, RefusesNullAndDeadHandles) {
  size_t size = 0;
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetMemSize(nullptr, 8, &size));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetMemSize(function(), 8, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsGetMemSize(dead_function(), 8, &size));
}

TEST_F(AclrtKernelArgsGetMemSize, AddsRoomForAlignmentAndHiddenWords) {
  size_t size = 0;
  EXPECT_OK(aclrtKernelArgsGetMemSize(function("ct_table"), 100, &size));
  EXPECT_EQ(100u + 64 + 8 * 3, size);
  EXPECT_OK(aclrtKernelArgsGetMemSize(function("ct_record"), 100, &size));
  EXPECT_EQ(100u + 64 + 8 * 128, size);
}

TEST_F(AclrtKernelArgsGetMemSize, AddsNothingForTheAiCpu) {
  size_t size = 0;
  EXPECT_OK(aclrtKernelArgsGetMemSize(function("ct_cpu"), 100, &size));
  EXPECT_EQ(100u, size);
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsGetMemSize_test
