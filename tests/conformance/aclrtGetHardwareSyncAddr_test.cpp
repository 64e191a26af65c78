// SPDX-License-Identifier: Apache-2.0
// aclrtGetHardwareSyncAddr: words in device memory through which blocks of a kernel synchronise.
#include "support/overflow.h"

namespace conformance::aclrtGetHardwareSyncAddr_test {
namespace {

using AclrtGetHardwareSyncAddr = WithStream;

TEST_F(AclrtGetHardwareSyncAddr, IsDeviceMemoryThatStaysWhereItIs) {
  void* first = nullptr;
  void* again = nullptr;
  EXPECT_OK(aclrtGetHardwareSyncAddr(&first));
  EXPECT_OK(aclrtGetHardwareSyncAddr(&again));
  EXPECT_EQ(first, again);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(first) % kStatusSize);
  std::vector<uint8_t> bytes(kStatusSize, 1);
  EXPECT_OK(aclrtMemcpy(bytes.data(), kStatusSize, first, kStatusSize, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 0), bytes);
  EXPECT_FAILS_WITH(107000, aclrtFree(first));
  clear_errors();
}

TEST_F(AclrtGetHardwareSyncAddr, DiffersFromContextToContext) {
  void* mine = nullptr;
  void* others = nullptr;
  EXPECT_OK(aclrtGetHardwareSyncAddr(&mine));
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    EXPECT_OK(aclrtGetHardwareSyncAddr(&others));
    EXPECT_NE(mine, others);
  }
  // It ends with its context.
  EXPECT_FAILS_WITH(107000, aclrtMemset(others, kStatusSize, 0, kStatusSize));
  clear_errors();
}

TEST_F(AclrtGetHardwareSyncAddr, IsTheSameForAllThreads) {
  void* expected = nullptr;
  EXPECT_OK(aclrtGetHardwareSyncAddr(&expected));
  streams::on_threads(4, [&](int) {
    void* address = nullptr;
    EXPECT_OK(aclrtGetHardwareSyncAddr(&address));
    EXPECT_EQ(expected, address);
  });
}

TEST_F(AclrtGetHardwareSyncAddr, RefusesNullBeforeItLooksForAContext) {
  EXPECT_FAILS(107000, "EE1004", aclrtGetHardwareSyncAddr(nullptr));
  on_new_thread([] {
    EXPECT_FAILS(107000, "EE1004", aclrtGetHardwareSyncAddr(nullptr));
    void* address = nullptr;
    EXPECT_FAILS(107002, "EE1018", aclrtGetHardwareSyncAddr(&address));
    EXPECT_EQ(nullptr, address);
  });
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
