// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchSIMTKernelWithArgsArray: grids of threads with an array of arguments.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchSIMTKernelWithArgsArray_test {
namespace {

using AclrtLaunchSIMTKernelWithArgsArray = WithKernels;

TEST_F(AclrtLaunchSIMTKernelWithArgsArray, IsRefusedOnProductsWithoutGrids) {
  uint64_t word = 1;
  EXPECT_FAILS(
      100000, "EH0008",
      aclrtLaunchSIMTKernelWithArgsArray(nullptr, dim3{}, dim3{}, 0, stream_, nullptr, nullptr));
  EXPECT_FAILS_WITH(207000, aclrtLaunchSIMTKernelWithArgsArray(
                                stream_, (dim3{1, 1, 1}), (dim3{1, 1, 1}), 128, nullptr, nullptr,
                                std::vector<void*>{&word, &word, &word}.data()));
}

FERRY_PROCESS_TEST(AclrtLaunchSIMTKernelWithArgsArrayProcess, RunsOnA950,
                   "FERRY_SOC=Ascend950PR_9599") {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  ASSERT_OK(aclrtSetDevice(0));
  register_kernels();
  register_grid();
  aclrtBinHandle binary = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &binary));
  aclrtFuncHandle grid = nullptr;
  aclrtFuncHandle plain = nullptr;
  ASSERT_OK(aclrtBinaryGetFunction(binary, "ct_grid", &grid));
  ASSERT_OK(aclrtBinaryGetFunction(binary, "ct_table", &plain));
  uint64_t word = 4711;
  EXPECT_FAILS_WITH(107000, aclrtLaunchSIMTKernelWithArgsArray(
                                plain, (dim3{1, 1, 1}), (dim3{1, 1, 1}), 128, nullptr, nullptr,
                                std::vector<void*>{&word, &word, &word}.data()));
  EXPECT_FAILS_WITH(107000, aclrtLaunchSIMTKernelWithArgsArray(
                                grid, (dim3{1, 0, 1}), (dim3{1, 1, 1}), 128, nullptr, nullptr,
                                std::vector<void*>{&word, &word, &word}.data()));
  EXPECT_FAILS_WITH(107000, aclrtLaunchSIMTKernelWithArgsArray(
                                grid, (dim3{1, 1, 1}), (dim3{1, 1, 0}), 128, nullptr, nullptr,
                                std::vector<void*>{&word, &word, &word}.data()));
  EXPECT_FAILS_WITH(107000, aclrtLaunchSIMTKernelWithArgsArray(
                                grid, (dim3{65535, 65535, 65535}), (dim3{1, 1, 1}), 128, nullptr,
                                nullptr, std::vector<void*>{&word, &word, &word}.data()));
  EXPECT_OK(aclrtLaunchSIMTKernelWithArgsArray(grid, (dim3{2, 3, 4}), (dim3{32, 2, 1}), 128,
                                               nullptr, nullptr,
                                               std::vector<void*>{&word, &word, &word}.data()));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  const std::vector<Seen> seen = take_seen();
  ASSERT_EQ(1u, seen.size());
  EXPECT_EQ(24u, seen[0].blocks);
  EXPECT_EQ(4u, seen[0].context.gridDim[2]);
  EXPECT_EQ(32u, seen[0].context.blockDim[0]);
  EXPECT_EQ(128u, seen[0].context.dynUbufSize);
  EXPECT_EQ(4711u, seen[0].at<uint64_t>(0));
  size_t ubuf = 0;
  EXPECT_OK(aclrtFunctionGetAvailDynUbufPerBlock(grid, 0, &ubuf));
  EXPECT_GT(ubuf, 0u);
  EXPECT_OK(aclrtBinaryUnLoad(binary));
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchSIMTKernelWithArgsArray_test
