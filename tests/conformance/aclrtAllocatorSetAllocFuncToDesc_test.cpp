// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorSetAllocFuncToDesc: the function that allocates.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorSetAllocFuncToDesc_test {
namespace {

TEST(AclrtAllocatorSetAllocFuncToDesc, RefusesNullAndDestroyedDescriptions) {
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetAllocFuncToDesc(nullptr, allocate));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetAllocFuncToDesc(desc, nullptr));
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorSetAllocFuncToDesc(destroyed_desc(), allocate));
}

TEST(AclrtAllocatorSetAllocFuncToDesc, SetsWhatARegistrationCopies) {
  int key = 0;
  const Desc desc(kAll & ~kAllocate);
  EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, allocate));
  EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.allocate, &allocate);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorSetAllocFuncToDesc_test
