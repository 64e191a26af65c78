// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufChainNum: the head counts.
#include "support/buffers.h"

namespace conformance::buffers::aclrtGetBufChainNum_test {
namespace {

TEST(AclrtGetBufChainNum, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  uint32_t number = 7;
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufChainNum(nullptr, &number));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufChainNum(buffer.get(), nullptr));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtGetBufChainNum(wrong, &number));
  EXPECT_EQ(number, 7U);
}

TEST(AclrtGetBufChainNum, CountsTheHead) {
  const Buffer head;
  EXPECT_EQ(chain_length(head.get()), 1U);
  Buffer member;
  const aclrtMbuf handle = member.get();
  member.append_to(head);
  EXPECT_EQ(chain_length(head.get()), 2U);
  uint32_t number = 0;
  EXPECT_FAILS(107000, "EE1017", aclrtGetBufChainNum(handle, &number));
}

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufChainNum_test
