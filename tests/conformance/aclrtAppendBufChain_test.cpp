// SPDX-License-Identifier: Apache-2.0
// aclrtAppendBufChain: which buffers can be chained, and how many.
#include "support/at_once.h"
#include "support/buffers.h"

namespace conformance::buffers::aclrtAppendBufChain_test {
namespace {

TEST(AclrtAppendBufChain, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  EXPECT_FAILS(100000, "EH0008", aclrtAppendBufChain(nullptr, buffer.get()));
  EXPECT_FAILS(100000, "EH0008", aclrtAppendBufChain(buffer.get(), nullptr));
  for (aclrtMbuf wrong : no_buffers()) {
    EXPECT_FAILS_WITH(107017, aclrtAppendBufChain(wrong, buffer.get()));
    EXPECT_FAILS_WITH(107017, aclrtAppendBufChain(buffer.get(), wrong));
  }
  EXPECT_EQ(chain_length(buffer.get()), 1U);
}

TEST(AclrtAppendBufChain, RefusesBuffersThatAreInAChain) {
  const Buffer head;
  const Buffer other;
  Buffer member;
  const aclrtMbuf handle = member.get();
  member.append_to(head);
  const Buffer alone;
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(head.get(), head.get()));
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(handle, alone.get()));
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(other.get(), handle));
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(head.get(), handle));
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(other.get(), head.get()));
  EXPECT_EQ(chain_length(head.get()), 2U);
  EXPECT_EQ(chain_length(other.get()), 1U);
}

TEST(AclrtAppendBufChain, Takes128BuffersInTheirOrder) {
  const Buffer head;
  std::vector<aclrtMbuf> chain = {head.get()};
  while (chain.size() < 128) {
    Buffer next;
    chain.push_back(next.get());
    next.append_to(head);
  }
  const Buffer one_more;
  EXPECT_FAILS(107000, "EE1017", aclrtAppendBufChain(head.get(), one_more.get()));
  EXPECT_EQ(chain_length(head.get()), 128U);
  for (uint32_t i = 0; i < 128; ++i) {
    aclrtMbuf found = nullptr;
    EXPECT_OK(aclrtGetBufFromChain(head.get(), i, &found));
    EXPECT_EQ(found, chain[i]);
  }
}

TEST(AclrtAppendBufChain, FromManyThreads) {
  const Buffer head;
  at_once(4, [&](size_t) {
    for (int i = 0; i < 20; ++i) {
      Buffer next(8);
      next.append_to(head);
    }
  });
  EXPECT_EQ(chain_length(head.get()), 81U);
}

}  // namespace
}  // namespace conformance::buffers::aclrtAppendBufChain_test
