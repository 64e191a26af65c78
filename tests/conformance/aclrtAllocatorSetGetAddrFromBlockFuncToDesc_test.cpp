// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorSetGetAddrFromBlockFuncToDesc: the function that returns the address of a block.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorSetGetAddrFromBlockFuncToDesc_test {
namespace {

TEST(AclrtAllocatorSetGetAddrFromBlockFuncToDesc, RefusesNullAndDestroyedDescriptions) {
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetGetAddrFromBlockFuncToDesc(nullptr, address_of));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, nullptr));
  EXPECT_FAILS(100000, "EH0009",
               aclrtAllocatorSetGetAddrFromBlockFuncToDesc(destroyed_desc(), address_of));
}

TEST(AclrtAllocatorSetGetAddrFromBlockFuncToDesc, SetsWhatARegistrationCopies) {
  int key = 0;
  const Desc desc(kAll & ~kAddressOf);
  EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address_of));
  EXPECT_OK(aclrtAllocatorRegister(&key, desc));
  Registered found;
  EXPECT_OK(get(&key, found));
  EXPECT_EQ(found.address_of, &address_of);
  EXPECT_OK(aclrtAllocatorUnregister(&key));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorSetGetAddrFromBlockFuncToDesc_test
