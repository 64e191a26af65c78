// SPDX-License-Identifier: Apache-2.0
// aclmdlRIUpdate: makes changes of tasks effective.
#include "support/models.h"

namespace conformance::aclmdlRIUpdate_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIUpdate = WithStream;

TEST_F(AclmdlRIUpdate, ChecksInOrder) {
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIUpdate(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIUpdate(dead_model(stream_)));
}

TEST_F(AclmdlRIUpdate, AModelWithoutChangesStaysAsItIs) {
  const Forked forked(stream_);
  EXPECT_OK(aclmdlRIUpdate(forked.model));
  EXPECT_OK(aclmdlRIExecuteAsync(forked.model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclmdlRIUpdate, AModelInCaptureCannotBeUpdated) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(107040, aclmdlRIUpdate(model_of(stream_)));
  discard(stream_);
}

}  // namespace
}  // namespace conformance::aclmdlRIUpdate_test
