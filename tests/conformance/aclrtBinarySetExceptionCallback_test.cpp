// SPDX-License-Identifier: Apache-2.0
// aclrtBinarySetExceptionCallback: is told of failed kernels of one binary.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinarySetExceptionCallback_test {
namespace {

using AclrtBinarySetExceptionCallback = WithKernels;

struct Told {
  aclrtContext context = nullptr;
  int calls = 0;
  aclrtFuncHandle function = nullptr;
  uint64_t argument = 0;
  uint32_t code = 0;
};

void tell(aclrtExceptionInfo* info, void* data) {
  auto* told = static_cast<Told*>(data);
  ++told->calls;
  told->code = aclrtGetErrorCodeFromExceptionInfo(info);
  void* address = nullptr;
  uint32_t size = 0;
  EXPECT_OK(aclrtGetFuncHandleFromExceptionInfo(info, &told->function));
  EXPECT_OK(aclrtGetArgsFromExceptionInfo(info, &address, &size));
  EXPECT_EQ(8u, size);
  EXPECT_OK(aclrtSetCurrentContext(told->context));
  EXPECT_OK(aclrtMemcpy(&told->argument, 8, address, size, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtBinarySetExceptionCallback, ChecksItsArgumentsInOrder) {
  EXPECT_FAILS(100000, "EH0008", aclrtBinarySetExceptionCallback(nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinarySetExceptionCallback(binary_, nullptr, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinarySetExceptionCallback(stream_, tell, nullptr));
}

TEST_F(AclrtBinarySetExceptionCallback, IsToldBeforeTheSynchronisationReturnsAndTheLastOneCounts) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  Told first;
  Told second;
  EXPECT_OK(aclrtGetCurrentContext(&second.context));
  EXPECT_OK(aclrtBinarySetExceptionCallback(binary_, tell, &first));
  EXPECT_OK(aclrtBinarySetExceptionCallback(binary_, tell, &second));
  uint64_t args = 4711;
  const aclrtFuncHandle failing = function("ct_fails");
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(failing, 1, stream_, nullptr, &args, 8, nullptr, 0));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0, first.calls);
  EXPECT_EQ(1, second.calls);
  EXPECT_EQ(failing, second.function);
  EXPECT_EQ(4711u, second.argument);
  EXPECT_EQ(507015u, second.code);
}

TEST_F(AclrtBinarySetExceptionCallback, IsNotToldOfOtherBinaries) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  Told told;
  aclrtBinHandle other = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &other));
  EXPECT_OK(aclrtBinarySetExceptionCallback(other, tell, &told));
  uint64_t args = 1;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(function("ct_fails"), 1, stream_, nullptr, &args, 8,
                                          nullptr, 0));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0, told.calls);
  EXPECT_OK(aclrtBinaryUnLoad(other));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinarySetExceptionCallback_test
