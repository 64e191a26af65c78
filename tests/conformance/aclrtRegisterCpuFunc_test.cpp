// SPDX-License-Identifier: Apache-2.0
// aclrtRegisterCpuFunc: kernels of the AI CPU by name.
#include "support/kernels.h"

namespace conformance::kernels::aclrtRegisterCpuFunc_test {
namespace {

using AclrtRegisterCpuFunc = WithKernels;

TEST_F(AclrtRegisterCpuFunc, ChecksItsArgumentsInOrder) {
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtRegisterCpuFunc(nullptr, nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtRegisterCpuFunc(binary_, nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtRegisterCpuFunc(binary_, "f", nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtRegisterCpuFunc(binary_, "f", "ct_cpu", nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtRegisterCpuFunc(stream_, "f", "ct_cpu", &found));
  EXPECT_EQ(untouched(), found);
  EXPECT_FAILS_WITH(107000, aclrtRegisterCpuFunc(binary_, "f", "ct_cpu", &found));
  EXPECT_EQ(nullptr, found);
}

TEST_F(AclrtRegisterCpuFunc, FindsKernelsOfABinaryLoadedInMode2) {
  aclrtBinaryLoadOption option = cpu_mode(2);
  aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), &options, &loaded));
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS_WITH(107000, aclrtRegisterCpuFunc(loaded, "f", "ct_nobody", &found));
  EXPECT_EQ(nullptr, found);
  EXPECT_OK(aclrtRegisterCpuFunc(loaded, "f", "ct_record", &found));
  int64_t type = 0;
  EXPECT_OK(aclrtGetFunctionAttribute(found, ACL_FUNC_ATTR_KERNEL_TYPE, &type));
  EXPECT_EQ(ACL_KERNEL_TYPE_AICPU, type);
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

}  // namespace
}  // namespace conformance::kernels::aclrtRegisterCpuFunc_test
