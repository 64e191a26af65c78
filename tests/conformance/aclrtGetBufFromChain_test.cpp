// SPDX-License-Identifier: Apache-2.0
// aclrtGetBufFromChain: buffers by their place.
#include "support/buffers.h"

namespace conformance::buffers::aclrtGetBufFromChain_test {
namespace {

TEST(AclrtGetBufFromChain, RefusesNullAndWhatIsNoBuffer) {
  const Buffer buffer;
  aclrtMbuf found = nullptr;
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufFromChain(nullptr, 0, &found));
  EXPECT_FAILS(100000, "EH0008", aclrtGetBufFromChain(buffer.get(), 0, nullptr));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtGetBufFromChain(wrong, 0, &found));
  EXPECT_EQ(found, nullptr);
}

TEST(AclrtGetBufFromChain, EndsBehindTheLastBuffer) {
  const Buffer head;
  aclrtMbuf found = nullptr;
  EXPECT_OK(aclrtGetBufFromChain(head.get(), 0, &found));
  EXPECT_EQ(found, head.get());
  EXPECT_FAILS(107000, "EE1003", aclrtGetBufFromChain(head.get(), 1, &found));
  Buffer member;
  const aclrtMbuf handle = member.get();
  member.append_to(head);
  EXPECT_OK(aclrtGetBufFromChain(head.get(), 1, &found));
  EXPECT_EQ(found, handle);
  EXPECT_FAILS(107000, "EE1003", aclrtGetBufFromChain(head.get(), 2, &found));
  EXPECT_FAILS(107000, "EE1003", aclrtGetBufFromChain(head.get(), UINT32_MAX, &found));
  EXPECT_FAILS(107000, "EE1017", aclrtGetBufFromChain(handle, 0, &found));
}

}  // namespace
}  // namespace conformance::buffers::aclrtGetBufFromChain_test
