// SPDX-License-Identifier: Apache-2.0
// aclmdlRIEndTask: where the run of a model is over.
#include "support/built_models.h"

namespace conformance::aclmdlRIEndTask_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIEndTask = WithStream;

TEST_F(AclmdlRIEndTask, ChecksInOrder) {
  BoundStream stream;
  BoundStream unbound;
  Building model;
  const Model captured = capture(stream_, [] {});
  model.bind(stream);
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIEndTask(nullptr, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIEndTask(model, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIEndTask(dead_model(stream_), stream));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIEndTask(captured, stream_));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kStreamCaptured, aclmdlRIEndTask(model, stream_));
  discard(stream_);
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIEndTask(model, stream)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRIEndTask(model, stream));
  }
  EXPECT_FAILS_WITH(kBound, aclmdlRIEndTask(model, unbound));
}

TEST_F(AclmdlRIEndTask, WhatFollowsDoesNotRun) {
  BoundStream stream;
  Building model;
  Mark before;
  Mark behind;
  model.bind(stream);
  EXPECT_OK(before.queue(stream));
  EXPECT_OK(aclmdlRIEndTask(model, stream));
  EXPECT_OK(behind.queue(stream));
  EXPECT_OK(aclmdlRIBuildEnd(model, nullptr));
  for (int i = 0; i < 3; ++i) {
    before.clear();
    model.run();
    EXPECT_TRUE(before.is_reached());
    EXPECT_FALSE(behind.is_reached());
  }
}

TEST_F(AclmdlRIEndTask, EndsOtherStreamsThatStillWait) {
  BoundStream first;
  BoundStream second;
  const streams::Notify never;
  Building model;
  model.bind(first);
  model.bind(second);
  EXPECT_OK(aclrtWaitAndResetNotify(never, second, 0));
  model.finish(first);
  for (int i = 0; i < 3; ++i)
    model.run();
}

}  // namespace
}  // namespace conformance::aclmdlRIEndTask_test
