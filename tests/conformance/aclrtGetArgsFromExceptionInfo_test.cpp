// SPDX-License-Identifier: Apache-2.0
// aclrtGetArgsFromExceptionInfo: the argument block of the failed kernel.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetArgsFromExceptionInfo_test {
namespace {

using AclrtGetArgsFromExceptionInfo = WithKernels;

aclError g_code = 0;
aclError g_code_of_null = 0;

TEST_F(AclrtGetArgsFromExceptionInfo, AnswersMinusOneForNull) {
  void* address = nullptr;
  uint32_t size = 0;
  EXPECT_FAILS_WITH(-1, aclrtGetArgsFromExceptionInfo(nullptr, &address, &size));
}

TEST_F(AclrtGetArgsFromExceptionInfo, AnswersMinusOneWithoutAKernel) {
  EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    void* address = nullptr;
    uint32_t size = 0;
    g_code = aclrtGetArgsFromExceptionInfo(info, &address, &size);
  }));
  DeviceBuffer device(64);
  PinnedBuffer host(64);
  NEEDS_CPU_DEVICE("other devices judge a range at the call");
  EXPECT_OK(
      aclrtMemcpyAsync(device.at(63), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(-1, g_code);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

TEST_F(AclrtGetArgsFromExceptionInfo, RefusesNullOutputs) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    g_code_of_null = aclrtGetArgsFromExceptionInfo(info, nullptr, nullptr);
    void* address = nullptr;
    uint32_t size = 0;
    g_code = aclrtGetArgsFromExceptionInfo(info, &address, &size);
  }));
  uint64_t args = 1;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(function("ct_fails"), 1, stream_, nullptr, &args, 8,
                                          nullptr, 0));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(100000, g_code_of_null);
  EXPECT_EQ(0, g_code);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetArgsFromExceptionInfo_test
