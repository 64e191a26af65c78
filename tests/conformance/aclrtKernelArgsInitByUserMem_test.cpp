// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsInitByUserMem: lists in memory of the program.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsInitByUserMem_test {
namespace {

using AclrtKernelArgsInitByUserMem = WithKernels;

TEST_F(AclrtKernelArgsInitByUserMem, ChecksItsArgumentsInOrder) {
  alignas(8) char memory[8192];
  char block[64];
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsInitByUserMem(nullptr, nullptr, nullptr, 0));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsInitByUserMem(function(), nullptr, nullptr, 0));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsInitByUserMem(function(), memory, nullptr, 0));
  EXPECT_FAILS(100000, "EH0007", aclrtKernelArgsInitByUserMem(function(), memory, block, 0));
  EXPECT_FAILS(107017, "EE1017",
               aclrtKernelArgsInitByUserMem(dead_function(), memory, block, sizeof block));
  EXPECT_FAILS(107000, "EE1011",
               aclrtKernelArgsInitByUserMem(function(), memory + 1, block, sizeof block));
  EXPECT_FAILS(107000, "EE1011",
               aclrtKernelArgsInitByUserMem(function(), reinterpret_cast<void*>(8), block, 64));
  EXPECT_FAILS(107000, "EE1011",
               aclrtKernelArgsInitByUserMem(function(), memory, reinterpret_cast<void*>(8), 64));
}

TEST_F(AclrtKernelArgsInitByUserMem, BuildsTheBlockInTheMemoryOfTheProgram) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const aclrtFuncHandle kernel = function("ct_table");
  size_t size = 0;
  ASSERT_OK(aclrtKernelArgsGetHandleMemSize(kernel, &size));
  std::vector<uint64_t> list((size + 7) / 8);
  alignas(8) char block[20] = {};
  std::memset(block, 0x55, sizeof block);
  ASSERT_OK(aclrtKernelArgsInitByUserMem(kernel, list.data(), block, sizeof block));
  aclrtParamHandle parameter = nullptr;
  uint32_t small = 7;
  EXPECT_OK(aclrtKernelArgsAppend(list.data(), &small, 4, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list.data(), &small, 4, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list.data(), &small, 4, &parameter));
  // No more parameters than the kernel has.
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsAppend(list.data(), &small, 4, &parameter));
  EXPECT_OK(aclrtKernelArgsFinalize(list.data()));
  const Seen seen = launch(list.data(), "ct_table");
  EXPECT_EQ(20u, seen.args.size());
  EXPECT_EQ(0, std::memcmp(seen.args.data(), block, 20));
  EXPECT_EQ(7u, seen.at<uint32_t>(16));
  EXPECT_EQ(0u, seen.at<uint32_t>(4));  // padding
}

TEST_F(AclrtKernelArgsInitByUserMem, HasTheGivenRoom) {
  std::vector<uint64_t> list(1024);
  char block[12];
  ASSERT_OK(aclrtKernelArgsInitByUserMem(function(), list.data(), block, sizeof block));
  aclrtParamHandle parameter = nullptr;
  uint64_t value = 7;
  EXPECT_OK(aclrtKernelArgsAppend(list.data(), &value, 8, &parameter));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsAppend(list.data(), &value, 8, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list.data(), &value, 4, &parameter));
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsInitByUserMem_test
