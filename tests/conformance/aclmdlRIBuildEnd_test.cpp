// SPDX-License-Identifier: Apache-2.0
// aclmdlRIBuildEnd: the model can run, and its streams take no more tasks.
#include "support/built_models.h"

namespace conformance::aclmdlRIBuildEnd_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIBuildEnd = WithStream;

TEST_F(AclmdlRIBuildEnd, ChecksInOrder) {
  BoundStream stream;
  Building model;
  const Model captured = capture(stream_, [] {});
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIBuildEnd(nullptr, &model));
  EXPECT_FAILS(kBadArgument, "EH0012", aclmdlRIBuildEnd(captured, &stream));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIBuildEnd(dead_model(stream_), nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIBuildEnd(captured, nullptr));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIBuildEnd(model, nullptr)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIBuildEnd(model, nullptr));
  }
  EXPECT_FAILS_WITH(kBound, aclmdlRIBuildEnd(model, nullptr));
  model.bind(stream);
  EXPECT_FAILS(kCannotExecute, "EE1018", aclmdlRIBuildEnd(model, nullptr));
}

TEST_F(AclmdlRIBuildEnd, LaterTasksAreRefused) {
  BoundStream stream;
  BoundStream late;
  Building model;
  Mark mark;
  model.bind(stream);
  model.finish(stream);
  EXPECT_EQ(kBound, mark.queue(stream));
  EXPECT_FAILS_WITH(kBound, aclmdlRIBindStream(model, late, 0));
  EXPECT_FAILS_WITH(kBound, aclmdlRIBuildEnd(model, nullptr));
  model.run();
  EXPECT_FALSE(mark.is_reached());
}

}  // namespace
}  // namespace conformance::aclmdlRIBuildEnd_test
