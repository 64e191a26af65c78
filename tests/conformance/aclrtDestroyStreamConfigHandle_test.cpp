// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyStreamConfigHandle: destroys a configuration.
#include "support/conformance.h"

namespace conformance::aclrtDestroyStreamConfigHandle_test {
namespace {

TEST(AclrtDestroyStreamConfigHandle, DestroysAConfiguration) {
  EXPECT_OK(aclrtDestroyStreamConfigHandle(aclrtCreateStreamConfigHandle()));
}

TEST(AclrtDestroyStreamConfigHandle, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(100000, "EH0008", aclrtDestroyStreamConfigHandle(nullptr));
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

TEST(AclrtDestroyStreamConfigHandle, RefusesConfigurationsThatAreNone) {
  aclrtStreamConfigHandle* dead = aclrtCreateStreamConfigHandle();
  EXPECT_OK(aclrtDestroyStreamConfigHandle(dead));
  aclrtStreamConfigHandle own{};
  EXPECT_FAILS_WITH(100000, aclrtDestroyStreamConfigHandle(dead));
  EXPECT_FAILS_WITH(100000, aclrtDestroyStreamConfigHandle(&own));
}

TEST(AclrtDestroyStreamConfigHandle, NeedsNoContextAndTakesThoseOfOtherThreads) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  on_new_thread([config] { EXPECT_OK(aclrtDestroyStreamConfigHandle(config)); });
}

TEST(AclrtDestroyStreamConfigHandle, DestroysEachOfManyOnlyOnce) {
  std::vector<aclrtStreamConfigHandle*> configs(1000);
  for (aclrtStreamConfigHandle*& config : configs)
    config = aclrtCreateStreamConfigHandle();
  for (aclrtStreamConfigHandle* config : configs)
    EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
  for (aclrtStreamConfigHandle* config : configs)
    EXPECT_EQ(100000, aclrtDestroyStreamConfigHandle(config));
}

}  // namespace
}  // namespace conformance::aclrtDestroyStreamConfigHandle_test
