// SPDX-License-Identifier: Apache-2.0
// aclrtCreateLabel: a place for jumps in a model.
#include "support/built_models.h"

namespace conformance::aclrtCreateLabel_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtCreateLabel = WithStream;

TEST_F(AclrtCreateLabel, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateLabel(nullptr));
  on_new_thread([] {
    aclrtLabel label = nullptr;
    EXPECT_FAILS_WITH(kNoContext, aclrtCreateLabel(&label));
  });
}

TEST_F(AclrtCreateLabel, AProcessHasAtMost65535) {
  std::vector<aclrtLabel> labels(65535);
  for (aclrtLabel& label : labels)
    ASSERT_EQ(ACL_SUCCESS, aclrtCreateLabel(&label));
  aclrtLabel more = nullptr;
  EXPECT_FAILS_WITH(kInternal, aclrtCreateLabel(&more));
  EXPECT_OK(aclrtDestroyLabel(labels.back()));
  EXPECT_OK(aclrtCreateLabel(&labels.back()));
  for (aclrtLabel label : labels)
    ASSERT_EQ(ACL_SUCCESS, aclrtDestroyLabel(label));
}

}  // namespace
}  // namespace conformance::aclrtCreateLabel_test
