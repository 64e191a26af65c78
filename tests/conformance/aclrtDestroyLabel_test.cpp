// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyLabel: the handle is dead afterwards.
#include "support/built_models.h"

namespace conformance::aclrtDestroyLabel_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtDestroyLabel = WithStream;

TEST_F(AclrtDestroyLabel, ChecksInOrder) {
  aclrtLabel label = nullptr;
  EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyLabel(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtDestroyLabel(stream_));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(507031, aclrtDestroyLabel(label));
  }
  EXPECT_OK(aclrtDestroyLabel(label));
  EXPECT_FAILS_WITH(kBadHandle, aclrtDestroyLabel(label));
}

}  // namespace
}  // namespace conformance::aclrtDestroyLabel_test
