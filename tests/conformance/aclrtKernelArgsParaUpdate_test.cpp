// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsParaUpdate: replaces a value.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsParaUpdate_test {
namespace {

using AclrtKernelArgsParaUpdate = WithKernels;

TEST_F(AclrtKernelArgsParaUpdate, ChecksItsArgumentsInOrder) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle value = nullptr;
  aclrtParamHandle placeholder = nullptr;
  uint64_t word = 1;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppend(list, &word, 8, &value));
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsParaUpdate(nullptr, nullptr, nullptr, 0));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsParaUpdate(list, nullptr, nullptr, 0));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsParaUpdate(list, value, nullptr, 0));
  EXPECT_FAILS(100000, "EH0007", aclrtKernelArgsParaUpdate(list, value, &word, 0));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsParaUpdate(stream_, value, &word, 8));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsParaUpdate(list, stream_, &word, 8));
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsParaUpdate(list, placeholder, &word, 4));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsParaUpdate(list, value, &word, 4));
}

TEST_F(AclrtKernelArgsParaUpdate, NeedsFinalizeAgain) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle value = nullptr;
  uint64_t word = 1;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppend(list, &word, 8, &value));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_EQ(1u, launch(list).at<uint64_t>(0));
  word = 2;
  EXPECT_OK(aclrtKernelArgsParaUpdate(list, value, &word, 8));
  EXPECT_FAILS_WITH(107000,
                    aclrtLaunchKernelWithConfig(function(), 1, stream_, nullptr, list, nullptr));
  EXPECT_FAILS(207000, "EE1016", aclrtKernelArgsAppend(list, &word, 8, &value));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_EQ(2u, launch(list).at<uint64_t>(0));
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsParaUpdate_test
