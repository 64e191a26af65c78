// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufData: address and capacity.
#include "support/buffers.h"

namespace conformance::buffers::aclrtGetBufData_test {
namespace {

TEST(AclrtGetBufData, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  void* data = nullptr;
  size_t size = 0;
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufData(nullptr, &data, &size));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufData(buffer.get(), nullptr, &size));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufData(buffer.get(), &data, nullptr));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtGetBufData(wrong, &data, &size));
}

TEST(AclrtGetBufData, GivesTheCapacityWhateverTheLength) {
  const Buffer buffer(123);
  EXPECT_OK(aclrtSetBufDataLen(buffer.get(), 5));
  void* data = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtGetBufData(buffer.get(), &data, &size));
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(size, 123U);
}

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufData_test
