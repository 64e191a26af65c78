// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufDataLen: what was set.
#include "support/buffers.h"

namespace conformance::buffers::aclrtGetBufDataLen_test {
namespace {

TEST(AclrtGetBufDataLen, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  size_t length = 77;
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufDataLen(nullptr, &length));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufDataLen(buffer.get(), nullptr));
  for (aclrtMbuf wrong : no_buffers()) {
    EXPECT_FAILS_WITH(107017, aclrtGetBufDataLen(wrong, &length));
    EXPECT_FAILS(100000, "EH0008", aclrtGetBufDataLen(wrong, nullptr));
  }
  EXPECT_EQ(length, 77U);
}

TEST(AclrtGetBufDataLen, IsZeroUntilItIsSet) {
  const Buffer buffer(20);
  EXPECT_EQ(data_length(buffer.get()), 0U);
  EXPECT_OK(aclrtSetBufDataLen(buffer.get(), 20));
  EXPECT_EQ(data_length(buffer.get()), 20U);
}

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufDataLen_test
