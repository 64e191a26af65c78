// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorSetFreeFuncToDesc: the function that frees.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorSetFreeFuncToDesc_test {
namespace {

TEST(AclrtAllocatorSetFreeFuncToDesc, RefusesNullAndDestroyedDescriptions) {
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetFreeFuncToDesc(nullptr, free_block));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetFreeFuncToDesc(desc, nullptr));
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorSetFreeFuncToDesc(destroyed_desc(), free_block));
}

TEST(AclrtAllocatorSetFreeFuncToDesc, SetsWhatARegistrationCopies) {
  int key = 0;
  const Desc desc(kAll & ~kFree);
  EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, free_block));
  EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.free, &free_block);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorSetFreeFuncToDesc_test
