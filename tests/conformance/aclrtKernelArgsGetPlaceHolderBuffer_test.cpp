// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsGetPlaceHolderBuffer: data behind the parameters.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsGetPlaceHolderBuffer_test {
namespace {

using AclrtKernelArgsGetPlaceHolderBuffer = WithKernels;

TEST_F(AclrtKernelArgsGetPlaceHolderBuffer, ChecksItsArgumentsInOrder) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle value = nullptr;
  aclrtParamHandle placeholder = nullptr;
  void* data = untouched();
  uint64_t word = 1;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppend(list, &word, 8, &value));
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetPlaceHolderBuffer(nullptr, nullptr, 0, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetPlaceHolderBuffer(list, nullptr, 0, nullptr));
  EXPECT_FAILS(100000, "EH0007", aclrtKernelArgsGetPlaceHolderBuffer(list, value, 0, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsGetPlaceHolderBuffer(list, value, 8, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsGetPlaceHolderBuffer(stream_, value, 8, &data));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsGetPlaceHolderBuffer(list, stream_, 8, &data));
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsGetPlaceHolderBuffer(list, value, 8, &data));
  EXPECT_FAILS(107000, "EE1003",
               aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, SIZE_MAX, &data));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_FAILS_WITH(107000, aclrtKernelArgsGetPlaceHolderBuffer(list, value, 8, &data));
  EXPECT_FAILS(207000, "EE1016", aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 8, &data));
  EXPECT_EQ(untouched(), data);
}

TEST_F(AclrtKernelArgsGetPlaceHolderBuffer, GivesTheDeviceAddressOfTheLastData) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle placeholder = nullptr;
  void* data = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function(), &list));
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
  EXPECT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 3, &data));
  std::memcpy(data, "old", 3);
  EXPECT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 5, &data));
  std::memcpy(data, "newer", 5);
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  const Seen seen = launch(list);
  ASSERT_EQ(21u, seen.args.size());
  EXPECT_EQ(seen.device_address(16), seen.at<const char*>(0));
  EXPECT_EQ("newer", std::string(seen.placeholder_data.begin(), seen.placeholder_data.end()));
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsGetPlaceHolderBuffer_test
