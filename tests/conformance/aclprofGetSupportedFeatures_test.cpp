// SPDX-License-Identifier: Apache-2.0
// aclprofGetSupportedFeatures: an empty list.
#include "support/profiling.h"

namespace conformance::profiling::aclprofGetSupportedFeatures_test {
namespace {

TEST(AclprofGetSupportedFeatures, RefusesNull) {
  size_t size = 1;
  void* data = &size;
  EXPECT_FAILS(100000, "EH0008", aclprofGetSupportedFeatures(nullptr, &data));
  EXPECT_FAILS(100000, "EH0008", aclprofGetSupportedFeatures(&size, nullptr));
}

TEST(AclprofGetSupportedFeatures, ListsNothing) {
  size_t size = 1;
  void* data = &size;
  EXPECT_OK(aclprofGetSupportedFeatures(&size, &data));
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(data, nullptr);
}

}  // namespace
}  // namespace conformance::profiling::aclprofGetSupportedFeatures_test
