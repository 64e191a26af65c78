// SPDX-License-Identifier: Apache-2.0
// aclrtCopyBufRef: two buffers with the same data.
#include "support/buffers.h"

namespace conformance::buffers::aclrtCopyBufRef_test {
namespace {

TEST(AclrtCopyBufRef, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  aclrtMbuf second = nullptr;
  EXPECT_FAILS(100000, "EH0008", aclrtCopyBufRef(nullptr, &second));
  EXPECT_FAILS(100000, "EH0008", aclrtCopyBufRef(buffer.get(), nullptr));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtCopyBufRef(wrong, &second));
  EXPECT_EQ(second, nullptr);
}

TEST(AclrtCopyBufRef, SharesDataAndCopiesTheRest) {
  const Buffer first(32);
  const uint8_t mine = 11;
  EXPECT_OK(aclrtSetBufDataLen(first.get(), 8));
  EXPECT_OK(aclrtSetBufUserData(first.get(), &mine, 1, 0));
  aclrtMbuf second = nullptr;
  ASSERT_OK(aclrtCopyBufRef(first.get(), &second));
  EXPECT_NE(second, first.get());
  EXPECT_EQ(data_of(second), data_of(first.get()));
  EXPECT_EQ(data_length(second), 8U);

  const uint8_t other = 12;
  EXPECT_OK(aclrtSetBufDataLen(second, 9));
  EXPECT_OK(aclrtSetBufUserData(second, &other, 1, 0));
  EXPECT_EQ(data_length(first.get()), 8U);
  uint8_t read = 0;
  EXPECT_OK(aclrtGetBufUserData(first.get(), &read, 1, 0));
  EXPECT_EQ(read, mine);
  EXPECT_OK(aclrtFreeBuf(second));
}

TEST(AclrtCopyBufRef, IsInNoChain) {
  const Buffer head;
  Buffer member;
  const aclrtMbuf handle = member.get();
  member.append_to(head);
  for (aclrtMbuf of : {head.get(), handle}) {
    aclrtMbuf second = nullptr;
    ASSERT_OK(aclrtCopyBufRef(of, &second));
    EXPECT_EQ(chain_length(second), 1U);
    EXPECT_OK(aclrtFreeBuf(second));
  }
  EXPECT_EQ(chain_length(head.get()), 2U);
}

}  // namespace
}  // namespace conformance::buffers::aclrtCopyBufRef_test
