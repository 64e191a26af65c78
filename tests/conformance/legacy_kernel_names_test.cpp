// SPDX-License-Identifier: Apache-2.0
// The older names for kernels: binaries, functions by the address of a stub, launches.
#include "support/legacy.h"

#include <climits>

namespace conformance::legacy_kernel_names_test {
namespace {

using LegacyKernelNames = WithStream;
constexpr uint32_t kMagic = 0x43554245;

char stub;
char other_stub;

TEST_F(LegacyKernelNames, RegisteringABinaryChecksItsArguments) {
  void* handle = nullptr;
  const char bytes[8] = {};
  const rtDevBinary_t binary{kMagic, 0, bytes, sizeof bytes};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtDevBinaryRegister(nullptr, &handle));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtDevBinaryRegister(&binary, nullptr));
  EXPECT_EQ(nullptr, handle);
}

TEST_F(LegacyKernelNames, RegisteringAFunctionChecksItsArguments) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtFunctionRegister(&stub, nullptr, "stub", "kernel", 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtFunctionRegister(&stub, &stub, "stub", nullptr, 0));
  EXPECT_NE(ACL_SUCCESS, rtFunctionRegister(&stub, &stub, "stub", "kernel", 0));  // no such binary
  EXPECT_NE("", recent_text());
}

TEST_F(LegacyKernelNames, AnUnknownStubIsNotLaunched) {
  uint64_t arguments = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtKernelLaunch(nullptr, 1, &arguments, sizeof arguments, nullptr, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               rtKernelLaunch(&other_stub, 1, &arguments, sizeof arguments, nullptr, stream_));
  rtArgsEx_t whole{};
  whole.args = &arguments;
  whole.size = sizeof arguments;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               rtKernelLaunchWithFlagV2(&other_stub, 1, &whole, nullptr, stream_, 0, nullptr));
}

TEST_F(LegacyKernelNames, ALaunchByKeyChecksItsArguments) {
  rtArgsEx_t whole{};
  for (const uint32_t blocks : {0u, 65536u, UINT32_MAX}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 rtKernelLaunchWithHandleV2(&stub, 1, blocks, &whole, nullptr, stream_, nullptr));
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtKernelLaunchWithHandleV2(&stub, 1, 1, nullptr, nullptr, stream_, nullptr));
  EXPECT_NE(ACL_SUCCESS,
            rtKernelLaunchWithHandleV2(&stub, 1, 1, &whole, nullptr, stream_, nullptr));
}

}  // namespace
}  // namespace conformance::legacy_kernel_names_test
