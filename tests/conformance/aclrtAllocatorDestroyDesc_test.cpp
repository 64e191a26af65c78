// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorDestroyDesc: ends a description.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorDestroyDesc_test {
namespace {

TEST(AclrtAllocatorDestroyDesc, RefusesWhatIsNoLiveDescription) {
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorDestroyDesc(nullptr));
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorDestroyDesc(destroyed_desc()));
  int other = 0;
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorDestroyDesc(&other));
}

TEST(AclrtAllocatorDestroyDesc, LeavesStreamsTheAllocatorTheyHave) {
  int key = 0;
  aclrtAllocatorDesc handle = nullptr;
  {
    const Desc desc;
    handle = desc;
    EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  }
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.desc, handle);
  EXPECT_EQ(found.allocate, &allocate);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorDestroyDesc_test
