// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchKernelWithHostArgs: launches with arguments in host memory.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchKernelWithHostArgs_test {
namespace {

using AclrtLaunchKernelWithHostArgs = WithKernels;

TEST_F(AclrtLaunchKernelWithHostArgs, ChecksItsArgumentsInOrder) {
  const aclrtFuncHandle kernel = function();
  aclrtLaunchKernelCfg wrong{.attrs = nullptr, .numAttrs = 0};
  uint64_t args[2] = {};
  EXPECT_FAILS(100000, "EH0008",
               aclrtLaunchKernelWithHostArgs(nullptr, 0, stream_, &wrong, nullptr, 0, nullptr, 1));
  EXPECT_FAILS(100000, "EH0008",
               aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, nullptr, 0, nullptr, 1));
  EXPECT_FAILS(
      107017, "EE1017",
      aclrtLaunchKernelWithHostArgs(dead_function(), 0, stream_, &wrong, args, 0, nullptr, 1));
  EXPECT_FAILS(107000, "EE1003",
               aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, args, 0, nullptr, 1));
  EXPECT_FAILS(107000, "EE1004",
               aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, args, 16, nullptr, 1));
  aclrtPlaceHolderInfo holders[] = {{0, 8}, {9, 8}};
  EXPECT_FAILS(107000, "EE1003",
               aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, args, 16, holders, 2));
  holders[1] = {0, 16};
  EXPECT_FAILS(107000, "EE1003",
               aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, args, 16, holders, 2));
  EXPECT_EQ(107000,
            aclrtLaunchKernelWithHostArgs(kernel, 0, stream_, &wrong, args, 16, holders, 1));
  EXPECT_NE(std::string::npos, recent_text().find("numBlocks"));
  EXPECT_FAILS(107000, "EE1004",
               aclrtLaunchKernelWithHostArgs(kernel, 1, binary_, &wrong, args, 16, holders, 1));
  EXPECT_FAILS(107000, "EE1011",
               aclrtLaunchKernelWithHostArgs(kernel, 1, stream_, nullptr,
                                             reinterpret_cast<void*>(16), 16, nullptr, 0));
}

TEST_F(AclrtLaunchKernelWithHostArgs, ChecksTheConfiguration) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  uint64_t args = 1;
  expect_config_checks("aclrtLaunchKernelWithHostArgs", [&](aclrtLaunchKernelCfg* cfg) {
    return aclrtLaunchKernelWithHostArgs(function(), 1, stream_, cfg, &args, 8, nullptr, 0);
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtLaunchKernelWithHostArgs, CopiesTheArgumentsAndSetsThePlaceholders) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  uint64_t args[3] = {7, 8, 9};
  aclrtPlaceHolderInfo holder{.addrOffset = 0, .dataOffset = 16};
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(function(), 1, stream_, nullptr, args, 24, &holder, 1));
  args[1] = args[2] = 0;
  gate.open();
  const Seen seen = only_seen();
  EXPECT_EQ(seen.device_address(16), seen.at<const char*>(0));
  EXPECT_EQ(8u, seen.at<uint64_t>(8));
  EXPECT_EQ(std::vector<uint8_t>({9, 0, 0, 0, 0, 0, 0, 0}), seen.placeholder_data);
}

TEST_F(AclrtLaunchKernelWithHostArgs, TakesArgumentsOfAnySize) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  for (const size_t size : {1, 63, 64, 65, 4096, 65536, 65537, 1 << 20}) {
    const std::vector<uint8_t> bytes = pattern(size);
    EXPECT_OK(aclrtLaunchKernelWithHostArgs(function(), 1, stream_, nullptr,
                                            const_cast<uint8_t*>(bytes.data()), size, nullptr, 0));
    EXPECT_EQ(bytes, only_seen().args);
  }
}

TEST_F(AclrtLaunchKernelWithHostArgs, NeedsAContextAndAStreamOfIt) {
  const aclrtFuncHandle kernel = function();
  uint64_t args = 4711;
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithHostArgs(kernel, 3, nullptr, nullptr, &args, 8, nullptr, 0));
  });
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithHostArgs(kernel, 3, stream_, nullptr, &args, 8, nullptr, 0));
  });
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(107003, "EE1010",
               aclrtLaunchKernelWithHostArgs(kernel, 3, stream_, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithHostArgs(kernel, 3, binary_, nullptr, &args, 8, nullptr, 0));
}

TEST_F(AclrtLaunchKernelWithHostArgs, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const aclrtFuncHandle kernel = function();
  uint64_t args = 4711;
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(kernel, 3, stream_, nullptr, &args, 8, nullptr, 0));
  EXPECT_TRUE(take_seen().empty());
  gate.open();
  const Seen seen = only_seen();
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  EXPECT_EQ(id, seen.context.streamId);
  EXPECT_EQ(0, seen.context.deviceId);
  EXPECT_EQ(3u, seen.blocks);
  EXPECT_EQ(3u, seen.context.gridDim[0]);
  EXPECT_EQ(4711u, seen.at<uint64_t>(0));
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(kernel, 3, nullptr, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1u, take_seen().size());
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchKernelWithHostArgs_test
