// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufUserData: the 96 private bytes of a buffer.
#include "support/buffers.h"

#include <algorithm>

namespace conformance::buffers::aclrtGetBufUserData_test {
namespace {

TEST(AclrtGetBufUserData, ChecksTheRangeFirst) {
  const struct {
    size_t size;
    size_t offset;
  } rows[] = {{97, 0}, {1, 96}, {96, 1}, {0, 97}, {SIZE_MAX, 1}, {1, SIZE_MAX}};
  for (const auto& row : rows) {
    EXPECT_FAILS(100000, "EH0007", aclrtGetBufUserData(nullptr, nullptr, row.size, row.offset));
  }
}

TEST(AclrtGetBufUserData, RefusesNullSizeZeroAndWhatIsNoBuffer) {
  const Buffer buffer;
  uint8_t bytes[96] = {};
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufUserData(nullptr, bytes, 1, 0));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufUserData(buffer.get(), nullptr, 1, 0));
  EXPECT_FAILS(100000, "EH0007", aclrtGetBufUserData(buffer.get(), bytes, 0, 0));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtGetBufUserData(wrong, bytes, 1, 0));
}

TEST(AclrtGetBufUserData, MovesExactlyTheBytesAskedFor) {
  const Buffer buffer;
  const std::vector<uint8_t> all = pattern(96);
  EXPECT_OK(aclrtSetBufUserData(buffer.get(), all.data(), 96, 0));
  const uint8_t middle[4] = {1, 2, 3, 4};
  EXPECT_OK(aclrtSetBufUserData(buffer.get(), middle, 4, 40));
  EXPECT_OK(aclrtSetBufUserData(buffer.get(), middle, 1, 95));
  std::vector<uint8_t> expected = all;
  std::copy_n(middle, 4, expected.begin() + 40);
  expected[95] = 1;
  std::vector<uint8_t> read(96);
  EXPECT_OK(aclrtGetBufUserData(buffer.get(), read.data(), 96, 0));
  EXPECT_EQ(read, expected);
  uint8_t part[3] = {9, 9, 9};
  EXPECT_OK(aclrtGetBufUserData(buffer.get(), part, 2, 41));
  EXPECT_EQ(part[0], 2);
  EXPECT_EQ(part[1], 3);
  EXPECT_EQ(part[2], 9);
}

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufUserData_test
