// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorGetByStream: what a stream has.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorGetByStream_test {
namespace {

using AclrtAllocatorGetByStream = WithStream;

TEST_F(AclrtAllocatorGetByStream, RefusesNullAndStreamsWithoutAnAllocator) {
  aclrtAllocatorDesc desc = nullptr;
  EXPECT_FAILS(
      100000, "EH0008",
      aclrtAllocatorGetByStream(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_FAILS(
      100000, "EH0008",
      aclrtAllocatorGetByStream(nullptr, &desc, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_FAILS(
      100000, "EH0009",
      aclrtAllocatorGetByStream(stream_, &desc, nullptr, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(AclrtAllocatorGetByStream, ReturnsTheProgramsOwnValues) {
  const Desc desc;
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  Registered found;
  EXPECT_OK(get(stream_, found));
  EXPECT_EQ(found.desc, desc);
  EXPECT_EQ(found.object, &desc);
  EXPECT_EQ(found.allocate, &allocate);
  EXPECT_EQ(found.free, &free_block);
  EXPECT_EQ(found.allocate_at, &allocate_at);
  EXPECT_EQ(found.address_of, &address_of);
}

TEST_F(AclrtAllocatorGetByStream, LeavesOutWhatNobodyAsksFor) {
  const Desc desc;
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  aclrtAllocatorDesc found = nullptr;
  EXPECT_OK(
      aclrtAllocatorGetByStream(stream_, &found, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(found, desc);
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorGetByStream_test
