// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorUnregister: takes the allocator from a stream.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorUnregister_test {
namespace {

using AclrtAllocatorUnregister = WithStream;

TEST_F(AclrtAllocatorUnregister, RefusesNullOnly) {
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorUnregister(nullptr));
  EXPECT_OK(aclrtAllocatorUnregister(stream_));
  aclrtStream dead = nullptr;
  ASSERT_OK(aclrtCreateStream(&dead));
  ASSERT_OK(aclrtDestroyStream(dead));
  EXPECT_OK(aclrtAllocatorUnregister(dead));
}

TEST_F(AclrtAllocatorUnregister, LeavesOtherStreamsTheirs) {
  int other = 0;
  const Desc desc;
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  EXPECT_OK(aclrtAllocatorRegister(&other, desc));
  EXPECT_OK(aclrtAllocatorUnregister(stream_));
  EXPECT_FALSE(has_allocator(stream_));
  EXPECT_TRUE(has_allocator(&other));
  EXPECT_OK(aclrtAllocatorUnregister(&other));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorUnregister_test
