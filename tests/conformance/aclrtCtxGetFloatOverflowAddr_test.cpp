// SPDX-License-Identifier: Apache-2.0
// aclrtCtxGetFloatOverflowAddr: where the overflow status of the context is.
#include "support/overflow.h"

namespace conformance::aclrtCtxGetFloatOverflowAddr_test {
namespace {

using AclrtCtxGetFloatOverflowAddr = WithStream;

TEST_F(AclrtCtxGetFloatOverflowAddr, IsDeviceMemoryThatStaysWhereItIs) {
  void* first = nullptr;
  void* again = nullptr;
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&first));
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&again));
  EXPECT_EQ(first, again);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(first) % kStatusSize);
  std::vector<uint8_t> bytes(kStatusSize, 1);
  EXPECT_OK(aclrtMemcpy(bytes.data(), kStatusSize, first, kStatusSize, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 0), bytes);
  EXPECT_FAILS_WITH(107000, aclrtFree(first));
  clear_errors();
}

TEST_F(AclrtCtxGetFloatOverflowAddr, DiffersFromContextToContext) {
  void* mine = nullptr;
  void* others = nullptr;
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&mine));
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&others));
    EXPECT_NE(mine, others);
  }
  // It ends with its context.
  EXPECT_FAILS_WITH(107000, aclrtMemset(others, kStatusSize, 0, kStatusSize));
  clear_errors();
}

TEST_F(AclrtCtxGetFloatOverflowAddr, IsTheSameForAllThreads) {
  void* expected = nullptr;
  EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&expected));
  streams::on_threads(4, [&](int) {
    void* address = nullptr;
    EXPECT_OK(aclrtCtxGetFloatOverflowAddr(&address));
    EXPECT_EQ(expected, address);
  });
}

TEST_F(AclrtCtxGetFloatOverflowAddr, RefusesNullBeforeItLooksForAContext) {
  EXPECT_FAILS(107000, "EE1004", aclrtCtxGetFloatOverflowAddr(nullptr));
  on_new_thread([] {
    EXPECT_FAILS(107000, "EE1004", aclrtCtxGetFloatOverflowAddr(nullptr));
    void* address = nullptr;
    EXPECT_FAILS(107002, "EE1018", aclrtCtxGetFloatOverflowAddr(&address));
    EXPECT_EQ(nullptr, address);
  });
}

TEST_F(AclrtCtxGetFloatOverflowAddr, IsWhatTheStatusIsReadFrom) {
  set_overflow_status(3);
  DeviceBuffer out(kStatusSize);
  EXPECT_OK(aclrtGetOverflowStatus(out.get(), kStatusSize, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 3), out.read());
}

}  // namespace
}  // namespace conformance::aclrtCtxGetFloatOverflowAddr_test
