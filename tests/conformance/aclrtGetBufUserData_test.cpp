// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufUserData: the 96 private bytes of a buffer.
#include "support/buffers.h"

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

// Which bytes it reads: aclrtSetBufUserData_test.cpp.

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufUserData_test
