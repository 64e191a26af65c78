// SPDX-License-Identifier: Apache-2.0
// aclmdlRITaskDisable: the task does nothing once the model is updated.
#include "support/models.h"

namespace conformance::aclmdlRITaskDisable_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRITaskDisable = WithStream;

TEST_F(AclmdlRITaskDisable, ChecksInOrder) {
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskDisable(nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskDisable(stream_));
}

TEST_F(AclmdlRITaskDisable, TakesEffectWithTheUpdate) {
  Forked forked(stream_);
  EXPECT_OK(aclmdlRITaskDisable(forked.task(0, 0)));  // the fork: the side starts at once
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecuteAsync(forked.model, stream_));
  EXPECT_OK(aclmdlRIUpdate(forked.model));
  for (int i = 0; i < 2; ++i) {
    forked.side_mark.clear();
    EXPECT_OK(aclmdlRIExecuteAsync(forked.model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(forked.side_mark.is_reached());
  }
}

TEST_F(AclmdlRITaskDisable, ATaskThatCannotBeDisabledMakesTheModelUnusable) {
  const Forked forked(stream_);
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskDisable(forked.task(0, 1)));
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecuteAsync(forked.model, stream_));
  EXPECT_FAILS_WITH(107040, aclmdlRIUpdate(forked.model));
  EXPECT_FAILS_WITH(107040, aclmdlRITaskDisable(forked.task(0, 0)));
}

TEST_F(AclmdlRITaskDisable, NotWhileTheModelRuns) {
  const Forked forked(stream_);
  Gate gate(stream_);
  EXPECT_OK(aclmdlRIExecuteAsync(forked.model, stream_));
  EXPECT_FAILS_WITH(107040, aclmdlRITaskDisable(forked.task(0, 0)));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace conformance::aclmdlRITaskDisable_test
