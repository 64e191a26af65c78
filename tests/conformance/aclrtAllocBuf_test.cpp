// SPDX-License-Identifier: Apache-2.0
// aclrtAllocBuf: sizes, and what a new buffer holds.
#include "support/buffers.h"

namespace conformance::buffers::aclrtAllocBuf_test {
namespace {

TEST(AclrtAllocBuf, RefusesNullAndSizesOutOfRange) {
  aclrtMbuf buffer = nullptr;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocBuf(nullptr, 0));
  EXPECT_FAILS(100000, "EH0007", aclrtAllocBuf(&buffer, 0));
  EXPECT_FAILS(107000, "EE1003", aclrtAllocBuf(&buffer, (size_t{1} << 32) + 1));
  EXPECT_FAILS(107000, "EE1003", aclrtAllocBuf(&buffer, SIZE_MAX));
  EXPECT_EQ(buffer, nullptr);
}

TEST(AclrtAllocBuf, GivesMemoryOfTheHost) {
  for (const size_t capacity : {size_t{1}, size_t{63}, size_t{4096}, size_t{1} << 20}) {
    const Buffer buffer(capacity);
    std::memset(data_of(buffer.get()), 0x5A, capacity);
    EXPECT_EQ(data_of(buffer.get())[capacity - 1], 0x5A);
  }
}

TEST(AclrtAllocBuf, TakesTheLargestCapacity) {
  aclrtMbuf buffer = nullptr;
  const aclError code = aclrtAllocBuf(&buffer, size_t{1} << 32);
  if (code == 200000) GTEST_SKIP() << "this machine has not enough memory";
  ASSERT_OK(code);
  data_of(buffer)[(size_t{1} << 32) - 1] = 1;
  EXPECT_OK(aclrtFreeBuf(buffer));
}

TEST(AclrtAllocBuf, StartsEmpty) {
  const Buffer buffer(100);
  EXPECT_EQ(data_length(buffer.get()), 0U);
  EXPECT_EQ(chain_length(buffer.get()), 1U);
  uint8_t bytes[96];
  std::memset(bytes, 1, sizeof bytes);
  EXPECT_OK(aclrtGetBufUserData(buffer.get(), bytes, sizeof bytes, 0));
  for (const uint8_t byte : bytes)
    EXPECT_EQ(byte, 0);
}

TEST(AclrtAllocBuf, NeedsNoContext) {
  on_new_thread([] { const Buffer buffer(8); });
}

}  // namespace
}  // namespace conformance::buffers::aclrtAllocBuf_test
