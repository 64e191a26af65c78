// SPDX-License-Identifier: Apache-2.0
// aclrtFreeBuf: single buffers, heads, members and shared data.
#include "support/at_once.h"
#include "support/buffers.h"

#include <atomic>

namespace conformance::buffers::aclrtFreeBuf_test {
namespace {

TEST(AclrtFreeBuf, RefusesWhatIsNoBuffer) {
  EXPECT_FAILS(100000, "EH0008", aclrtFreeBuf(nullptr));
  for (aclrtMbuf wrong : no_buffers())
    EXPECT_FAILS_WITH(107017, aclrtFreeBuf(wrong));
}

TEST(AclrtFreeBuf, OfTheHeadFreesTheChain) {
  Buffer head;
  Buffer first;
  Buffer second;
  const aclrtMbuf handles[] = {head.get(), first.get(), second.get()};
  first.append_to(head);
  second.append_to(head);
  EXPECT_OK(aclrtFreeBuf(head.release()));
  size_t length = 0;
  for (aclrtMbuf handle : handles)
    EXPECT_FAILS_WITH(107017, aclrtGetBufDataLen(handle, &length));
}

TEST(AclrtFreeBuf, RefusesAMember) {
  const Buffer head;
  Buffer member;
  const aclrtMbuf handle = member.get();
  member.append_to(head);
  EXPECT_FAILS(107000, "EE1017", aclrtFreeBuf(handle));
  EXPECT_EQ(chain_length(head.get()), 2U);
}

TEST(AclrtFreeBuf, KeepsDataThatAnotherBufferShares) {
  Buffer first(16);
  data_of(first.get())[3] = 42;
  aclrtMbuf second = nullptr;
  ASSERT_OK(aclrtCopyBufRef(first.get(), &second));
  EXPECT_OK(aclrtFreeBuf(first.release()));
  EXPECT_EQ(data_of(second)[3], 42);
  EXPECT_OK(aclrtFreeBuf(second));
}

TEST(AclrtFreeBuf, OneOfManyThreadsSucceeds) {
  Buffer buffer;
  const aclrtMbuf handle = buffer.release();
  std::atomic<int> freed{0};
  at_once(8, [&](size_t) {
    if (aclrtFreeBuf(handle) == ACL_SUCCESS) ++freed;
  });
  EXPECT_EQ(freed, 1);
}

}  // namespace
}  // namespace conformance::buffers::aclrtFreeBuf_test
