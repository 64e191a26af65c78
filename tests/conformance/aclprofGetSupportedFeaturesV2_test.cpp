// SPDX-License-Identifier: Apache-2.0
// aclprofGetSupportedFeaturesV2: an empty list.
#include "support/profiling.h"

namespace conformance::profiling::aclprofGetSupportedFeaturesV2_test {
namespace {

TEST(AclprofGetSupportedFeaturesV2, RefusesNull) {
  size_t size = 1;
  void* data = &size;
  EXPECT_FAILS(100000, "EH0008", aclprofGetSupportedFeaturesV2(nullptr, &data));
  EXPECT_FAILS(100000, "EH0008", aclprofGetSupportedFeaturesV2(&size, nullptr));
}

TEST(AclprofGetSupportedFeaturesV2, ListsNothing) {
  size_t size = 1;
  void* data = &size;
  EXPECT_OK(aclprofGetSupportedFeaturesV2(&size, &data));
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(data, nullptr);
}

}  // namespace
}  // namespace conformance::profiling::aclprofGetSupportedFeaturesV2_test
