// SPDX-License-Identifier: Apache-2.0
// aclrtKernelArgsFinalize: hidden words, and the end of a list.
#include "support/kernels.h"

namespace conformance::kernels::aclrtKernelArgsFinalize_test {
namespace {

using AclrtKernelArgsFinalize = WithKernels;

TEST_F(AclrtKernelArgsFinalize, ChecksItsArgumentsInOrder) {
  aclrtArgsHandle list = list_of(1);
  EXPECT_FAILS(100000, "EH0008", aclrtKernelArgsFinalize(nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtKernelArgsFinalize(stream_));
  on_new_thread([&] { EXPECT_FAILS(107002, "EE1018", aclrtKernelArgsFinalize(list)); });
  EXPECT_OK(aclrtKernelArgsFinalize(list));
}

TEST_F(AclrtKernelArgsFinalize, AddsNoHiddenWordsUnlessTheStandInAsks) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const Seen seen = launch(list_of(9));
  ASSERT_EQ(8u, seen.args.size());
  EXPECT_EQ(9u, seen.at<uint64_t>(0));
}

TEST_F(AclrtKernelArgsFinalize, PutsTheSyncWordFirstAndTheOverflowWordLast) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const Seen seen = launch(list_of(9, "ct_hidden"), "ct_hidden");
  ASSERT_EQ(24u, seen.args.size());
  EXPECT_EQ(9u, seen.at<uint64_t>(8));
  aclrtPtrAttributes about{};
  for (const size_t offset : {0, 16}) {
    EXPECT_OK(aclrtPointerGetAttributes(seen.at<void*>(offset), &about));
    EXPECT_EQ(ACL_MEM_LOCATION_TYPE_DEVICE, about.location.type);
  }
  EXPECT_NE(seen.at<void*>(0), seen.at<void*>(16));
}

TEST_F(AclrtKernelArgsFinalize, PutsTheOverflowWordBeforeTheDataOfPlaceholders) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle placeholder = nullptr;
  void* data = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function("ct_hidden"), &list));
  EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
  EXPECT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 4, &data));
  std::memcpy(data, "data", 4);
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  EXPECT_OK(aclrtKernelArgsFinalize(list));
  const Seen seen = launch(list, "ct_hidden");
  ASSERT_EQ(28u, seen.args.size());
  EXPECT_EQ(seen.device_address(24), seen.at<const char*>(8));
  EXPECT_NE(nullptr, seen.at<void*>(16));
  EXPECT_EQ('d', seen.args[24]);
}

}  // namespace
}  // namespace conformance::kernels::aclrtKernelArgsFinalize_test
