// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchKernelWithConfig: launches with an argument list.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchKernelWithConfig_test {
namespace {

using AclrtLaunchKernelWithConfig = WithKernels;

TEST_F(AclrtLaunchKernelWithConfig, ChecksItsArgumentsInOrder) {
  const aclrtFuncHandle kernel = function();
  aclrtLaunchKernelCfg wrong{.attrs = nullptr, .numAttrs = 0};
  aclrtArgsHandle list = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(kernel, &list));
  int reserve = 0;
  EXPECT_FAILS(100000, "EH0008",
               aclrtLaunchKernelWithConfig(nullptr, 0, stream_, &wrong, nullptr, &reserve));
  EXPECT_FAILS(100000, "EH0009",
               aclrtLaunchKernelWithConfig(kernel, 0, stream_, &wrong, nullptr, &reserve));
  EXPECT_FAILS(100000, "EH0008",
               aclrtLaunchKernelWithConfig(kernel, 1, stream_, &wrong, nullptr, &reserve));
  EXPECT_FAILS(100000, "EH0009",
               aclrtLaunchKernelWithConfig(kernel, 1, stream_, &wrong, list, &reserve));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithConfig(dead_function(), 1, stream_, &wrong, list, nullptr));
  EXPECT_FAILS(107000, "EE1003",
               aclrtLaunchKernelWithConfig(kernel, 65536, stream_, &wrong, list, nullptr));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithConfig(kernel, 1, stream_, &wrong, stream_, nullptr));
  ASSERT_OK(aclrtKernelArgsInit(kernel, &list));  // dead_function() has not used the list
  EXPECT_FAILS(107000, "EE1017",
               aclrtLaunchKernelWithConfig(kernel, 1, stream_, &wrong, list, nullptr));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_FAILS(107000, "EE1004",
               aclrtLaunchKernelWithConfig(kernel, 1, binary_, &wrong, list, nullptr));
}

TEST_F(AclrtLaunchKernelWithConfig, ChecksTheConfiguration) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  expect_config_checks("aclrtLaunchKernelWithConfig", [&](aclrtLaunchKernelCfg* cfg) {
    return aclrtLaunchKernelWithConfig(function(), 1, stream_, cfg, list_of(1), nullptr);
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtLaunchKernelWithConfig, CopiesTheBlockAtTheCall) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelWithConfig(function(), 1, stream_, nullptr, list_of(1), nullptr));
  EXPECT_OK(aclrtLaunchKernelWithConfig(function(), 1, stream_, nullptr, list_of(2), nullptr));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const std::vector<Seen> seen = take_seen();
  ASSERT_EQ(2u, seen.size());
  EXPECT_EQ(1u, seen[0].at<uint64_t>(0));
  EXPECT_EQ(2u, seen[1].at<uint64_t>(0));
  EXPECT_NE(seen[0].context.argsAddress, seen[1].context.argsAddress);
}

TEST_F(AclrtLaunchKernelWithConfig, NeedsAContextAndAStreamOfIt) {
  const aclrtFuncHandle kernel = function();
  aclrtArgsHandle args = list_of(4711);
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithConfig(kernel, 3, nullptr, nullptr, args, nullptr));
  });
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithConfig(kernel, 3, stream_, nullptr, args, nullptr));
  });
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(107003, "EE1010",
               aclrtLaunchKernelWithConfig(kernel, 3, stream_, nullptr, args, nullptr));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithConfig(kernel, 3, binary_, nullptr, args, nullptr));
}

TEST_F(AclrtLaunchKernelWithConfig, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const aclrtFuncHandle kernel = function();
  aclrtArgsHandle args = list_of(4711);
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelWithConfig(kernel, 3, stream_, nullptr, args, nullptr));
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
  EXPECT_OK(aclrtLaunchKernelWithConfig(kernel, 3, nullptr, nullptr, args, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1u, take_seen().size());
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchKernelWithConfig_test
