// SPDX-License-Identifier: Apache-2.0
// aclrtSetBufDataLen: up to the capacity.
#include "support/buffers.h"

namespace conformance::buffers::aclrtSetBufDataLen_test {
namespace {

TEST(AclrtSetBufDataLen, RefusesWhatIsNoBuffer) {
  EXPECT_FAILS(100000, "EH0008", aclrtSetBufDataLen(nullptr, 0));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtSetBufDataLen(wrong, 0));
}

TEST(AclrtSetBufDataLen, EndsAtTheCapacity) {
  const Buffer buffer(10);
  for (const size_t length : {size_t{10}, size_t{0}, size_t{7}}) {
    EXPECT_OK(aclrtSetBufDataLen(buffer.get(), length));
    EXPECT_EQ(data_length(buffer.get()), length);
  }
  EXPECT_FAILS(107000, "EE1003", aclrtSetBufDataLen(buffer.get(), 11));
  EXPECT_FAILS(107000, "EE1003", aclrtSetBufDataLen(buffer.get(), SIZE_MAX));
  EXPECT_EQ(data_length(buffer.get()), 7U);
}

}  // namespace
}  // namespace conformance::buffers::aclrtSetBufDataLen_test
