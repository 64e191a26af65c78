// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchKernelV2: the same, with attributes.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchKernelV2_test {
namespace {

using AclrtLaunchKernelV2 = WithKernels;

TEST_F(AclrtLaunchKernelV2, ChecksItsArgumentsInOrder) {
  DeviceBuffer args(8);
  aclrtLaunchKernelCfg wrong{.attrs = nullptr, .numAttrs = 0};
  EXPECT_FAILS(100000, "EH0008", aclrtLaunchKernelV2(nullptr, 0, nullptr, 0, &wrong, stream_));
  EXPECT_FAILS(100000, "EH0008", aclrtLaunchKernelV2(function(), 0, nullptr, 0, &wrong, stream_));
  EXPECT_EQ(107000, aclrtLaunchKernelV2(function(), 0, args.get(), 0, &wrong, stream_));
  EXPECT_NE(std::string::npos, recent_text().find("argsSize"));
  EXPECT_EQ(107000, aclrtLaunchKernelV2(function(), 0, args.get(), 8, &wrong, stream_));
  EXPECT_NE(std::string::npos, recent_text().find("numBlocks"));
  EXPECT_FAILS(107000, "EE1004",
               aclrtLaunchKernelV2(function(), 1, args.get(), 8, &wrong, binary_));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelV2(dead_function(), 1, args.get(), 8, nullptr, stream_));
}

TEST_F(AclrtLaunchKernelV2, ChecksTheConfiguration) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer args(8);
  args.write(pattern(8));
  expect_config_checks("aclrtLaunchKernelV2", [&](aclrtLaunchKernelCfg* cfg) {
    return aclrtLaunchKernelV2(function(), 1, args.get(), 8, cfg, stream_);
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtLaunchKernelV2, NeedsAContextAndAStreamOfIt) {
  DeviceBuffer args(8);
  const uint64_t word = 4711;
  EXPECT_OK(aclrtMemcpy(args.get(), 8, &word, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclrtFuncHandle kernel = function();
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, nullptr));
  });
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, stream_));
  });
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(107003, "EE1010", aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, stream_));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_FAILS(107017, "EE1017", aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, binary_));
}

TEST_F(AclrtLaunchKernelV2, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer args(8);
  const uint64_t word = 4711;
  EXPECT_OK(aclrtMemcpy(args.get(), 8, &word, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclrtFuncHandle kernel = function();
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, stream_));
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
  EXPECT_OK(aclrtLaunchKernelV2(kernel, 3, args.get(), 8, nullptr, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1u, take_seen().size());
}

TEST_F(AclrtLaunchKernelV2, ReadsTheArgumentsWhenTheKernelRuns) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer args(8);
  PinnedBuffer word(8);
  word.fill({1, 2, 3, 4, 5, 6, 7, 8});
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(args.get(), 8, word.get(), 8, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtLaunchKernelV2(function(), 1, args.get(), 8, nullptr, stream_));
  gate.open();
  EXPECT_EQ(word.copy(), only_seen().args);
}

TEST_F(AclrtLaunchKernelV2, ArgumentsThatAreNotThereFailTheTask) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  char host[8] = {};
  struct {
    void* get() { return bytes; }
    char* bytes;
  } args{host};
  EXPECT_OK(aclrtLaunchKernelV2(function(), 1, args.get(), 8, nullptr, stream_));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_NE(std::string::npos, recent_text().find("ct_record"));
  EXPECT_TRUE(take_seen().empty());
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchKernelV2_test
