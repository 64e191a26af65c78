// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureGetInfo: whether a stream is in a capture, and in that of which model.
#include "support/models.h"

namespace conformance::aclmdlRICaptureGetInfo_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureGetInfo = WithStream;

constexpr auto kNone = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
constexpr auto kActive = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;

TEST_F(AclmdlRICaptureGetInfo, ChecksInOrder) {
  aclmdlRICaptureStatus status = kActive;
  aclmdlRI model = nullptr;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureGetInfo(nullptr, &status, &model));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureGetInfo(nullptr, nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0009", aclmdlRICaptureGetInfo(stream_, nullptr, nullptr));
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureGetInfo(handle, &status, &model));
}

TEST_F(AclmdlRICaptureGetInfo, OfAStreamThatIsNotCaptured) {
  aclmdlRICaptureStatus status = kActive;
  aclmdlRI model = &model;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream_, &status, &model));
  EXPECT_EQ(kNone, status);
  EXPECT_EQ(nullptr, model);
}

TEST_F(AclmdlRICaptureGetInfo, TheHandleIsThatOfTheEnd) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kThreadLocal));
  const aclmdlRI before = model_of(stream_);
  EXPECT_NE(nullptr, before);
  on_new_thread([&] {  // any thread, without a context
    EXPECT_EQ(kActive, status_of(stream_));
    EXPECT_EQ(before, model_of(stream_));
  });
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_EQ(before, model);
  EXPECT_EQ(kNone, status_of(stream_));
  EXPECT_EQ(nullptr, model_of(stream_));
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(AclmdlRICaptureGetInfo, JoinedStreamsHaveTheSameModel) {
  const Stream side;
  const Event event = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_EQ(kNone, status_of(side));
  EXPECT_OK(aclrtStreamWaitEvent(side, event));
  EXPECT_EQ(kActive, status_of(side));
  EXPECT_EQ(model_of(stream_), model_of(side));
  discard(stream_);
  EXPECT_EQ(kNone, status_of(side));
}

TEST_F(AclmdlRICaptureGetInfo, AnErrorInvalidatesAllStreamsOfTheCapture) {
  const Stream side;
  const Stream other;
  const Event event = Event::ex();
  const Event foreign = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(side, event));
  EXPECT_OK(aclrtRecordEvent(foreign, other));
  EXPECT_FAILS_WITH(kConflict, aclrtStreamWaitEvent(side, foreign));
  for (aclrtStream stream : {stream_, aclrtStream(side), aclrtStream(other)})
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, status_of(stream));
  discard(stream_);
  discard(other);
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureGetInfo_test
