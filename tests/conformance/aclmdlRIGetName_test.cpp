// SPDX-License-Identifier: Apache-2.0
// aclmdlRIGetName: the name of a model, empty if it has none.
#include "support/models.h"

namespace conformance::aclmdlRIGetName_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIGetName = WithStream;

TEST_F(AclmdlRIGetName, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  char name[8] = "?";
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIGetName(nullptr, 8, name));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIGetName(model, 8, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIGetName(dead_model(stream_), 8, name));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIGetName(model, 0, name)); });
  const OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIGetName(model, 0, name));
}

TEST_F(AclmdlRIGetName, NeedsRoomForTheEndOfTheName) {
  const Model model = capture(stream_, [] {});
  char name[8] = "?";
  EXPECT_FAILS_WITH(kInternal, aclmdlRIGetName(model, 0, name));
  EXPECT_OK(aclmdlRIGetName(model, 1, name));
  EXPECT_STREQ("", name);
  EXPECT_OK(aclmdlRISetName(model, "four"));
  EXPECT_FAILS_WITH(kInternal, aclmdlRIGetName(model, 4, name));
  EXPECT_OK(aclmdlRIGetName(model, 5, name));
  EXPECT_STREQ("four", name);
}

}  // namespace
}  // namespace conformance::aclmdlRIGetName_test
