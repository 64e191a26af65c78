// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsInit: begins the list of the thread.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsInit_test {
namespace {

using AclrtKernelArgsInit = WithKernels;

TEST_F(AclrtKernelArgsInit, RefusesNullAndDeadHandles) {
  aclrtArgsHandle list = nullptr;
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsInit(nullptr, &list));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsInit(function(), nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsInit(dead_function(), &list));
}

TEST_F(AclrtKernelArgsInit, ReusesTheListOfTheThread) {
  const aclrtFuncHandle kernel = function();
  aclrtArgsHandle first = nullptr;
  aclrtArgsHandle second = nullptr;
  aclrtParamHandle old = nullptr;
  uint64_t value = 1;
  ASSERT_OK(aclrtKernelArgsInit(kernel, &first));
  EXPECT_OK(aclrtKernelArgsAppend(first, &value, 8, &old));
  ASSERT_OK(aclrtKernelArgsInit(kernel, &second));
  EXPECT_EQ(first, second);
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsParaUpdate(second, old, &value, 8));
  aclrtArgsHandle other = nullptr;
  on_new_thread([&] { ASSERT_OK(aclrtKernelArgsInit(kernel, &other)); });
  EXPECT_NE(first, other);
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsFinalize(other));
}

TEST_F(AclrtKernelArgsInit, HoldsTheDocumentedNumberOfParametersAndBytes) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  std::vector<char> bytes(65537);
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsAppend(list, bytes.data(), 65537, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list, bytes.data(), 65536, &parameter));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsAppend(list, bytes.data(), 1, &parameter));
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  for (int i = 0; i < 128; ++i)
    ASSERT_OK(aclrtKernelArgsAppend(list, bytes.data(), 8, &parameter));
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsAppend(list, bytes.data(), 8, &parameter));
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsAppendPlaceHolder(list, &parameter));
}

TEST_F(AclrtKernelArgsInit, AnEmptyListIsLaunched) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_TRUE(launch(list).args.empty());
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsInit_test
