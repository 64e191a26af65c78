// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorSetAllocAdviseFuncToDesc: the function that allocates at an address.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorSetAllocAdviseFuncToDesc_test {
namespace {

TEST(AclrtAllocatorSetAllocAdviseFuncToDesc, RefusesNullAndDestroyedDescriptions) {
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetAllocAdviseFuncToDesc(nullptr, allocate_at));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetAllocAdviseFuncToDesc(desc, nullptr));
  EXPECT_FAILS(100000, "EH0009",
               aclrtAllocatorSetAllocAdviseFuncToDesc(destroyed_desc(), allocate_at));
}

TEST(AclrtAllocatorSetAllocAdviseFuncToDesc, SetsWhatARegistrationCopies) {
  int key = 0;
  const Desc desc(kAll & ~kAllocateAt);
  EXPECT_OK(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, allocate_at));
  EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.allocate_at, &allocate_at);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorSetAllocAdviseFuncToDesc_test
