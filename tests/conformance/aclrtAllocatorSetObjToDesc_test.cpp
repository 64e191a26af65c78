// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorSetObjToDesc: the object of a description.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorSetObjToDesc_test {
namespace {

TEST(AclrtAllocatorSetObjToDesc, RefusesNullAndDestroyedDescriptions) {
  int key = 0;
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetObjToDesc(nullptr, &key));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetObjToDesc(desc, nullptr));
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorSetObjToDesc(destroyed_desc(), &key));
}

TEST(AclrtAllocatorSetObjToDesc, SetsWhatARegistrationCopies) {
  int key = 0;
  const Desc desc(kAll & ~kObject);
  EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &key));
  EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.object, &key);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorSetObjToDesc_test
