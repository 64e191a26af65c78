// SPDX-License-Identifier: Apache-2.0
// aclrtCreateLabelList: the labels that a jump chooses from.
#include "support/built_models.h"

namespace conformance::aclrtCreateLabelList_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtCreateLabelList = WithStream;

TEST_F(AclrtCreateLabelList, ChecksInOrder) {
  aclrtLabel labels[2] = {};
  aclrtLabelList list = nullptr;
  EXPECT_OK(aclrtCreateLabel(&labels[0]));
  EXPECT_OK(aclrtCreateLabel(&labels[1]));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateLabelList(nullptr, 0, &list));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateLabelList(labels, 0, nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclrtCreateLabelList(labels, 0, &list));
  EXPECT_FAILS_WITH(kBadValue, aclrtCreateLabelList(labels, 65536, &list));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclrtCreateLabelList(labels, 2, &list)); });
  EXPECT_OK(aclrtDestroyLabel(labels[1]));
  EXPECT_FAILS_WITH(kBadHandle, aclrtCreateLabelList(labels, 2, &list));
  EXPECT_OK(aclrtCreateLabelList(labels, 1, &list));
  EXPECT_OK(aclrtDestroyLabel(labels[0]));
  EXPECT_OK(aclrtDestroyLabelList(list));
}

}  // namespace
}  // namespace conformance::aclrtCreateLabelList_test
