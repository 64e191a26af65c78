// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchKernel: launches with arguments in device memory.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchKernel_test {
namespace {

using AclrtLaunchKernel = WithKernels;

TEST_F(AclrtLaunchKernel, ChecksItsArgumentsInOrder) {
  DeviceBuffer args(8);
  EXPECT_FAILS(100000, "EH0008", aclrtLaunchKernel(nullptr, 0, nullptr, 0, stream_));
  EXPECT_FAILS(100000, "EH0008", aclrtLaunchKernel(function(), 0, nullptr, 0, stream_));
  EXPECT_FAILS(107017, "EE1017", aclrtLaunchKernel(dead_function(), 0, args.get(), 0, stream_));
  EXPECT_FAILS(107000, "EE1003", aclrtLaunchKernel(function(), 0, args.get(), 0, binary_));
  EXPECT_FAILS(107000, "EE1003", aclrtLaunchKernel(function(), 65536, args.get(), 8, stream_));
  EXPECT_FAILS(107000, "EE1003", aclrtLaunchKernel(function(), 1, args.get(), 0, binary_));
}

TEST_F(AclrtLaunchKernel, NeedsAContextAndAStreamOfIt) {
  DeviceBuffer args(8);
  const uint64_t word = 4711;
  EXPECT_OK(aclrtMemcpy(args.get(), 8, &word, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclrtFuncHandle kernel = function();
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtLaunchKernel(kernel, 3, args.get(), 8, nullptr));
  });
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtLaunchKernel(kernel, 3, args.get(), 8, stream_));
  });
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(107003, "EE1010", aclrtLaunchKernel(kernel, 3, args.get(), 8, stream_));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_FAILS(107017, "EE1017", aclrtLaunchKernel(kernel, 3, args.get(), 8, binary_));
}

TEST_F(AclrtLaunchKernel, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer args(8);
  const uint64_t word = 4711;
  EXPECT_OK(aclrtMemcpy(args.get(), 8, &word, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclrtFuncHandle kernel = function();
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernel(kernel, 3, args.get(), 8, stream_));
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
  EXPECT_OK(aclrtLaunchKernel(kernel, 3, args.get(), 8, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1u, take_seen().size());
}

TEST_F(AclrtLaunchKernel, ReadsTheArgumentsWhenTheKernelRuns) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer args(8);
  PinnedBuffer word(8);
  word.fill({1, 2, 3, 4, 5, 6, 7, 8});
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(args.get(), 8, word.get(), 8, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtLaunchKernel(function(), 1, args.get(), 8, stream_));
  gate.open();
  EXPECT_EQ(word.copy(), only_seen().args);
}

TEST_F(AclrtLaunchKernel, ArgumentsThatAreNotThereFailTheTask) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  char host[8] = {};
  struct {
    void* get() { return bytes; }
    char* bytes;
  } args{host};
  EXPECT_OK(aclrtLaunchKernel(function(), 1, args.get(), 8, stream_));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_NE(std::string::npos, recent_text().find("ct_record"));
  EXPECT_TRUE(take_seen().empty());
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchKernel_test
