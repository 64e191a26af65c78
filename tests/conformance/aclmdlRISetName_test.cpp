// SPDX-License-Identifier: Apache-2.0
// aclmdlRISetName: the name that aclmdlRIGetName returns; the last one wins.
#include "support/models.h"

namespace conformance::aclmdlRISetName_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRISetName = WithStream;

TEST_F(AclmdlRISetName, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRISetName(nullptr, "a"));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRISetName(model, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRISetName(dead_model(stream_), "a"));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRISetName(model, "a")); });
  const OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRISetName(model, "a"));
}

TEST_F(AclmdlRISetName, TheLastNameWins) {
  const Model model = capture(stream_, [] {});
  char name[16] = "?";
  EXPECT_OK(aclmdlRISetName(model, "first"));
  EXPECT_OK(aclmdlRISetName(model, "second"));
  EXPECT_OK(aclmdlRIGetName(model, sizeof name, name));
  EXPECT_STREQ("second", name);
}

TEST_F(AclmdlRISetName, LongNamesAreCut) {
  const Model model = capture(stream_, [] {});
  EXPECT_OK(aclmdlRISetName(model, std::string(2000, 'x').c_str()));
  char name[3000] = "?";
  EXPECT_OK(aclmdlRIGetName(model, sizeof name, name));
  EXPECT_EQ(std::string(511, 'x'), name);
}

}  // namespace
}  // namespace conformance::aclmdlRISetName_test
