// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorCreateDesc: an empty description.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorCreateDesc_test {
namespace {

TEST(AclrtAllocatorCreateDesc, NeedsNothingAndGivesDifferentDescriptions) {
  on_new_thread([] {
    const aclrtAllocatorDesc first = aclrtAllocatorCreateDesc();
    const aclrtAllocatorDesc second = aclrtAllocatorCreateDesc();
    EXPECT_NE(first, nullptr);
    EXPECT_NE(second, nullptr);
    EXPECT_NE(first, second);
    EXPECT_OK(aclrtAllocatorDestroyDesc(first));
    EXPECT_OK(aclrtAllocatorDestroyDesc(second));
  });
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorCreateDesc_test
