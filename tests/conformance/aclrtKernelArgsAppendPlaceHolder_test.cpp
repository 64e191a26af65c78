// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsAppendPlaceHolder: words that become addresses.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsAppendPlaceHolder_test {
namespace {

using AclrtKernelArgsAppendPlaceHolder = WithKernels;

TEST_F(AclrtKernelArgsAppendPlaceHolder, ChecksItsArgumentsInOrder) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsAppendPlaceHolder(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsAppendPlaceHolder(list, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsAppendPlaceHolder(stream_, &parameter));
  EXPECT_FAILS(207000, "EE1016", aclrtKernelArgsAppendPlaceHolder(list_of(1), &parameter));
  std::vector<char> nearly(65532);
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppend(list, nearly.data(), nearly.size(), &parameter));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsAppendPlaceHolder(list, &parameter));
}

TEST_F(AclrtKernelArgsAppendPlaceHolder, WithoutDataPointsAtTheStartOfTheBlock) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  char one = 1;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppend(list, &one, 1, &parameter));
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &parameter));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  const Seen seen = launch(list);
  ASSERT_EQ(16u, seen.args.size());
  EXPECT_EQ(seen.context.argsAddress, seen.at<const void*>(8));
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsAppendPlaceHolder_test
