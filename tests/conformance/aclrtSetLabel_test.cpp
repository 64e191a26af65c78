// SPDX-License-Identifier: Apache-2.0
// aclrtSetLabel: puts a label at the present end of a bound stream.
#include "support/built_models.h"

namespace conformance::aclrtSetLabel_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtSetLabel = WithStream;

TEST_F(AclrtSetLabel, ChecksInOrder) {
  BoundStream stream;
  BoundStream unbound;
  Building model;
  model.bind(stream);
  aclrtLabel label = nullptr;
  aclrtLabel unlisted = nullptr;
  aclrtLabelList list = nullptr;
  EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabel(&unlisted));
  EXPECT_OK(aclrtCreateLabelList(&label, 1, &list));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSetLabel(nullptr, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSetLabel(label, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtSetLabel(stream, stream));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(507031, aclrtSetLabel(label, unbound));
  }
  EXPECT_FAILS_WITH(kBound, aclrtSetLabel(label, unbound));
  EXPECT_FAILS(kInternal, "EE1018", aclrtSetLabel(unlisted, stream));
  EXPECT_OK(aclrtSetLabel(label, stream));
  EXPECT_FAILS_WITH(kInternal, aclrtSetLabel(label, stream));
  EXPECT_OK(aclrtDestroyLabelList(list));
  EXPECT_OK(aclrtDestroyLabel(label));
  EXPECT_OK(aclrtDestroyLabel(unlisted));
}

}  // namespace
}  // namespace conformance::aclrtSetLabel_test
