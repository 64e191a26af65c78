// SPDX-License-Identifier: Apache-2.0
// aclmdlRIAbort: stops a run of a model that was built from bound streams.
#include "support/built_models.h"

namespace conformance::aclmdlRIAbort_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIAbort = WithStream;

TEST_F(AclmdlRIAbort, ChecksInOrder) {
  const Model captured = capture(stream_, [] {});
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIAbort(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIAbort(dead_model(stream_)));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIAbort(captured)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIAbort(captured));
  }
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIAbort(captured));
}

TEST_F(AclmdlRIAbort, StopsTheRunAndTheModelCanRunAgain) {
  BoundStream stream;
  const streams::Notify notify;
  Building model;
  Mark behind;
  model.bind(stream);
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(behind.queue(stream));
  model.finish(stream);
  EXPECT_OK(aclmdlRIAbort(model));  // nothing runs
  const Stream launcher;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(launcher, 1));
  EXPECT_OK(aclmdlRIAbort(model));
  EXPECT_EQ(507023, aclrtSynchronizeStream(launcher));
  EXPECT_FALSE(behind.is_reached());
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(launcher));
  EXPECT_TRUE(behind.is_reached());
}

}  // namespace
}  // namespace conformance::aclmdlRIAbort_test
