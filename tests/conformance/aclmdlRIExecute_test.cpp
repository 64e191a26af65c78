// SPDX-License-Identifier: Apache-2.0
// aclmdlRIExecute: runs a model that was built from bound streams, and waits.
#include "support/built_models.h"

namespace conformance::aclmdlRIExecute_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIExecute = WithStream;

TEST_F(AclmdlRIExecute, ChecksInOrder) {
  const Model captured = capture(stream_, [] {});
  const aclmdlRI dead = dead_model(stream_);
  Building model;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIExecute(nullptr, 0));
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    EXPECT_FAILS_WITH(kBadValue, aclmdlRIExecute(captured, timeout));
    EXPECT_FAILS_WITH(kBadValue, aclmdlRIExecute(dead, timeout));
  }
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIExecute(dead, -1));
  EXPECT_FAILS(kBadValue, "EE1016", aclmdlRIExecute(captured, -1));
  on_new_thread([&] {
    EXPECT_FAILS(kBadValue, "EE1016", aclmdlRIExecute(captured, 1));
    EXPECT_FAILS_WITH(kNoContext, aclmdlRIExecute(model, 1));
  });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIExecute(model, 1));
  }
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecute(model, 1));
}

TEST_F(AclmdlRIExecute, ATimeoutLeavesTheRunGoing) {
  BoundStream stream;
  const streams::Notify notify;
  Building model;
  Mark behind;
  model.bind(stream);
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(behind.queue(stream));
  model.finish(stream);
  EXPECT_EQ(507046, aclmdlRIExecute(model, 1));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(behind.is_reached());
}

TEST_F(AclmdlRIExecute, ReturnsTheFailureOfATask) {
  BoundStream stream;
  streams::BadCopy bad;
  Building model;
  model.bind(stream);
  EXPECT_OK(bad.queue(stream));
  model.finish(stream);
  EXPECT_EQ(kTaskFailed, aclmdlRIExecute(model, -1));
  EXPECT_EQ(kTaskFailed, aclmdlRIExecute(model, -1));
}

}  // namespace
}  // namespace conformance::aclmdlRIExecute_test
