// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchKernelWithArgsArray: launches with addresses of arguments.
#include "support/kernels.h"

namespace conformance::kernels::aclrtLaunchKernelWithArgsArray_test {
namespace {

using AclrtLaunchKernelWithArgsArray = WithKernels;

TEST_F(AclrtLaunchKernelWithArgsArray, ChecksItsArgumentsInOrder) {
  aclrtLaunchKernelCfg wrong{.attrs = nullptr, .numAttrs = 0};
  uint64_t word = 1;
  void* args[] = {&word, nullptr, &word};
  EXPECT_FAILS(100000, "EH0008",
               aclrtLaunchKernelWithArgsArray(nullptr, 0, stream_, &wrong, nullptr));
  EXPECT_FAILS(100000, "EH0007",
               aclrtLaunchKernelWithArgsArray(&word, 0, stream_, &wrong, nullptr));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithArgsArray(&word, 1, stream_, &wrong, nullptr));
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithArgsArray(dead_function(), 1, stream_, &wrong, nullptr));
  EXPECT_FAILS_WITH(
      207000, aclrtLaunchKernelWithArgsArray(function("ct_cpu"), 1, stream_, &wrong, nullptr));
  EXPECT_FAILS_WITH(
      107000, aclrtLaunchKernelWithArgsArray(function("ct_record"), 1, stream_, &wrong, args));
  const aclrtFuncHandle kernel = function("ct_table");
  EXPECT_FAILS(107000, "EE1004",
               aclrtLaunchKernelWithArgsArray(kernel, 1, stream_, &wrong, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtLaunchKernelWithArgsArray(kernel, 1, stream_, &wrong, args));
  args[1] = &word;
  EXPECT_EQ(107000, aclrtLaunchKernelWithArgsArray(kernel, 1, binary_, &wrong, args));
  EXPECT_NE(std::string::npos, recent_text().find("attrs"));
  args[1] = reinterpret_cast<void*>(16);
  EXPECT_FAILS(107000, "EE1011", aclrtLaunchKernelWithArgsArray(kernel, 1, stream_, nullptr, args));
}

TEST_F(AclrtLaunchKernelWithArgsArray, PacksByTheTableOfAFunctionOrSymbol) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  uint64_t first = 1;
  uint32_t second = 2;
  uint64_t third = 3;
  void* args[] = {&first, &second, &third};
  const void* const ways[] = {function("ct_table"), &kTableSymbol};
  for (const void* way : ways) {
    EXPECT_OK(aclrtLaunchKernelWithArgsArray(const_cast<void*>(way), 1, stream_, nullptr, args));
    const Seen seen = only_seen();
    ASSERT_EQ(24u, seen.args.size());
    EXPECT_EQ(1u, seen.at<uint64_t>(0));
    EXPECT_EQ(2u, seen.at<uint64_t>(8));  // and padding
    EXPECT_EQ(3u, seen.at<uint64_t>(16));
  }
}

TEST_F(AclrtLaunchKernelWithArgsArray, NeedsAContextAndAStreamOfIt) {
  const aclrtFuncHandle kernel = function("ct_table");
  uint64_t word = 4711;
  void* args[] = {&word, &word, &word};
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithArgsArray(kernel, 3, nullptr, nullptr, args));
  });
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018",
                 aclrtLaunchKernelWithArgsArray(kernel, 3, stream_, nullptr, args));
  });
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  EXPECT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(107003, "EE1010", aclrtLaunchKernelWithArgsArray(kernel, 3, stream_, nullptr, args));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_FAILS(107017, "EE1017", aclrtLaunchKernelWithArgsArray(kernel, 3, binary_, nullptr, args));
}

TEST_F(AclrtLaunchKernelWithArgsArray, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const aclrtFuncHandle kernel = function("ct_table");
  uint64_t word = 4711;
  void* args[] = {&word, &word, &word};
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchKernelWithArgsArray(kernel, 3, stream_, nullptr, args));
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
  EXPECT_OK(aclrtLaunchKernelWithArgsArray(kernel, 3, nullptr, nullptr, args));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1u, take_seen().size());
}

}  // namespace
}  // namespace conformance::kernels::aclrtLaunchKernelWithArgsArray_test
