// SPDX-License-Identifier: Apache-2.0
// aclrtGetHardwareSyncAddr: words in device memory through which blocks of a kernel synchronise.
#include "support/overflow.h"

namespace conformance::aclrtGetHardwareSyncAddr_test {
namespace {

using AclrtGetHardwareSyncAddr = WithStream;

TEST_F(AclrtGetHardwareSyncAddr, IsMemoryOfTheContext) {
  expect_memory_of_the_context("aclrtGetHardwareSyncAddr", aclrtGetHardwareSyncAddr);
}

TEST_F(AclrtGetHardwareSyncAddr, IsNotTheOverflowStatus) {
  void* sync = nullptr;
  void* status = nullptr;
  EXPECT_OK(aclrtGetHardwareSyncAddr(&sync));
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&status));
  EXPECT_NE(sync, status);
}

FERRY_PROCESS_TEST(AclrtGetHardwareSyncAddrProcess, BelongsToTheProductsThatHaveIt,
                   "FERRY_SOC=Ascend310P3") {
  void* address = nullptr;
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(207000, "WE0001", aclrtGetHardwareSyncAddr(&address));
  EXPECT_EQ(nullptr, address);
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtGetHardwareSyncAddr_test
