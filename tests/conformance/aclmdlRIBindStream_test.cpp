// SPDX-License-Identifier: Apache-2.0
// aclmdlRIBindStream: the tasks of the stream are stored in the model.
#include "support/built_models.h"

namespace conformance::aclmdlRIBindStream_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIBindStream = WithStream;

TEST_F(AclmdlRIBindStream, ChecksInOrder) {
  BoundStream stream;
  const Stream device_only(kDeviceUseOnly);
  const Stream fast(ACL_STREAM_FAST_LAUNCH | kPersistent);
  Building model;
  const Model captured = capture(stream_, [] {});
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIBindStream(nullptr, nullptr, 0));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIBindStream(dead_model(stream_), stream, 0));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kBadValue, aclmdlRIBindStream(captured, nullptr, 0));
    EXPECT_FAILS_WITH(kNoContext, aclmdlRIBindStream(model, stream, 0));
  });
  EXPECT_FAILS(kBadValue, "EE1016", aclmdlRIBindStream(captured, device_only, 0));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRIBindStream(model, stream_, 0));
  discard(stream_);
  EXPECT_FAILS_WITH(kInternal, aclmdlRIBindStream(model, device_only, 0));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIBindStream(model, fast, 0));
  EXPECT_FAILS(kBadValue, "EE1011", aclmdlRIBindStream(model, stream_, 0));
  EXPECT_FAILS(kBadValue, "EE1011", aclmdlRIBindStream(model, nullptr, 0));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIBindStream(model, stream, 0));
  }
  model.bind(stream);
  EXPECT_FAILS_WITH(kBound, aclmdlRIBindStream(model, stream, 0));
  EXPECT_FAILS_WITH(kBound, aclmdlRICaptureBegin(stream, kRelaxed));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIExecuteAsync(captured, stream));
}

TEST_F(AclmdlRIBindStream, AContextThatStopsOnFailureIsRefused) {
  const OtherContext other;
  const streams::Inside inside(other);
  BoundStream stream;
  const Stream plain;
  Building model;
  EXPECT_OK(aclrtSetStreamFailureMode(plain, ACL_STOP_ON_FAILURE));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIBindStream(model, stream, 0));
}

TEST_F(AclmdlRIBindStream, AStreamThatIsNotAHeadWaitsForItsActivation) {
  BoundStream head;
  BoundStream rest;
  Building model;
  Mark first;
  Mark second;
  model.bind(head, kHead);
  model.bind(rest, kActivated);
  EXPECT_OK(first.queue(head));
  EXPECT_OK(second.queue(rest));
  model.finish(head);
  model.run();
  EXPECT_TRUE(first.is_reached());
  EXPECT_FALSE(second.is_reached());
}

}  // namespace
}  // namespace conformance::aclmdlRIBindStream_test
