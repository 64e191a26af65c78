// SPDX-License-Identifier: Apache-2.0
// aclmdlRIUnbindStream: the stream is an ordinary one again.
#include "support/built_models.h"

namespace conformance::aclmdlRIUnbindStream_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIUnbindStream = WithStream;

TEST_F(AclmdlRIUnbindStream, ChecksInOrder) {
  BoundStream stream;
  Building model;
  const Model captured = capture(stream_, [] {});
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIUnbindStream(nullptr, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIUnbindStream(model, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIUnbindStream(dead_model(stream_), stream));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIUnbindStream(captured, stream));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kStreamCaptured, aclmdlRIUnbindStream(model, stream_));
  discard(stream_);
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIUnbindStream(model, stream)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIUnbindStream(model, stream));
  }
  EXPECT_FAILS_WITH(kBound, aclmdlRIUnbindStream(model, stream));
}

TEST_F(AclmdlRIUnbindStream, TheStreamCanBeBoundToAnotherModel) {
  BoundStream stream;
  Building first;
  Building second;
  Mark mark;
  first.bind(stream);
  EXPECT_OK(mark.queue(stream));
  first.finish(stream);
  EXPECT_OK(aclmdlRIUnbindStream(first, stream));
  second.bind(stream);
  second.finish(stream);
  second.run();
  EXPECT_FALSE(mark.is_reached());
  first.run();  // what it has stored stays
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclmdlRIUnbindStream, TheEndOfAModelUnbindsItsStreams) {
  BoundStream stream;
  {
    Building model;
    model.bind(stream);
  }
  Building model;
  model.bind(stream);
}

}  // namespace
}  // namespace conformance::aclmdlRIUnbindStream_test
