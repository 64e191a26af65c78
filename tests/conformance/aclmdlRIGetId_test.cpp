// SPDX-License-Identifier: Apache-2.0
// aclmdlRIGetId: a number that no other live model has.
#include "support/models.h"

namespace conformance::aclmdlRIGetId_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIGetId = WithStream;

TEST_F(AclmdlRIGetId, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  uint32_t id = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIGetId(nullptr, &id));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIGetId(model, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIGetId(dead_model(stream_), &id));
}

TEST_F(AclmdlRIGetId, IsStableAndUnique) {
  const Model first = capture(stream_, [] {});
  const Model second = capture(stream_, [] {});
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t again = 0;
  EXPECT_OK(aclmdlRIGetId(first, &a));
  EXPECT_OK(aclmdlRIGetId(second, &b));
  EXPECT_NE(a, b);
  on_new_thread([&] { EXPECT_OK(aclmdlRIGetId(first, &again)); });  // needs no context
  EXPECT_EQ(a, again);
}

TEST_F(AclmdlRIGetId, IsKnownDuringTheCapture) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  uint32_t before = 0;
  uint32_t after = 1;
  EXPECT_OK(aclmdlRIGetId(model_of(stream_), &before));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIGetId(model, &after));
  EXPECT_EQ(before, after);
  EXPECT_OK(aclmdlRIDestroy(model));
}

}  // namespace
}  // namespace conformance::aclmdlRIGetId_test
