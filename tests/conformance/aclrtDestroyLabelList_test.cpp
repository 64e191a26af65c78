// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyLabelList: the handle is dead afterwards.
#include "support/built_models.h"

namespace conformance::aclrtDestroyLabelList_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtDestroyLabelList = WithStream;

TEST_F(AclrtDestroyLabelList, ChecksInOrder) {
  aclrtLabel label = nullptr;
  aclrtLabelList list = nullptr;
  EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabelList(&label, 1, &list));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyLabelList(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtDestroyLabelList(label));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(507031, aclrtDestroyLabelList(list));
  }
  EXPECT_OK(aclrtDestroyLabelList(list));
  EXPECT_FAILS_WITH(kBadHandle, aclrtDestroyLabelList(list));
  EXPECT_OK(aclrtDestroyLabel(label));
}

}  // namespace
}  // namespace conformance::aclrtDestroyLabelList_test
