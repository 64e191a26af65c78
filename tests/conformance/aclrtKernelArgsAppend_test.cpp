// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsAppend: values in the argument block.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsAppend_test {
namespace {

using AclrtKernelArgsAppend = WithKernels;

TEST_F(AclrtKernelArgsAppend, ChecksItsArgumentsInOrder) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  uint64_t value = 1;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsAppend(nullptr, nullptr, 0, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsAppend(list, nullptr, 0, nullptr));
  EXPECT_FAILS(100000, "EH0007", aclrtKernelArgsAppend(list, &value, 0, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsAppend(list, &value, 8, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsAppend(stream_, &value, 8, &parameter));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsAppend(untouched(), &value, 8, &parameter));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsAppend(&value, &value, 8, &parameter));
  EXPECT_FAILS(107000, "EE1003", aclrtKernelArgsAppend(list, &value, SIZE_MAX, &parameter));
  EXPECT_FAILS(107000, "EE1011",
               aclrtKernelArgsAppend(list, reinterpret_cast<void*>(16), 8, &parameter));
  aclrtParamHandle placeholder = nullptr;
  void* data = nullptr;
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
  EXPECT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 8, &data));
  EXPECT_FAILS(207000, "EE1016", aclrtKernelArgsAppend(list, &value, SIZE_MAX, &parameter));
  EXPECT_FAILS(207000, "EE1016", aclrtKernelArgsAppend(list_of(1), &value, 8, &parameter));
}

TEST_F(AclrtKernelArgsAppend, AlignsToEightAndDoesNotRoundTheEnd) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  char three[] = {'a', 'b', 'c'};
  uint64_t eight = 0x1122334455667788;
  EXPECT_OK(aclrtKernelArgsAppend(list, three, 3, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list, &eight, 8, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list, three, 3, &parameter));
  three[0] = 'x';  // the bytes were copied
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  const Seen seen = launch(list);
  ASSERT_EQ(19u, seen.args.size());
  EXPECT_EQ(std::vector<uint8_t>({'a', 'b', 'c', 0, 0, 0, 0, 0}),
            std::vector<uint8_t>(seen.args.begin(), seen.args.begin() + 8));
  EXPECT_EQ(eight, seen.at<uint64_t>(8));
  EXPECT_EQ('c', seen.args[18]);
}

TEST_F(AclrtKernelArgsAppend, PacksForTheAiCpu) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function("ct_cpu"), &list));
  uint16_t two = 0x0201;
  uint64_t eight = 7;
  EXPECT_OK(aclrtKernelArgsAppend(list, &two, 2, &parameter));
  EXPECT_OK(aclrtKernelArgsAppend(list, &eight, 8, &parameter));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  const Seen seen = launch(list, "ct_cpu");
  ASSERT_EQ(10u, seen.args.size());
  EXPECT_EQ(7u, seen.at<uint64_t>(2));
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsAppend_test
