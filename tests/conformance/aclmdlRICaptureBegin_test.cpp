// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureBegin: from now on the work of the stream is recorded, and none of it runs.
#include "support/models.h"

namespace conformance::aclmdlRICaptureBegin_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureBegin = WithStream;

TEST_F(AclmdlRICaptureBegin, RecordsAndRunsNothing) {
  Mark mark;
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    EXPECT_OK(aclmdlRICaptureBegin(stream_, mode));
    EXPECT_OK(mark.queue(stream_));
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
    discard(stream_);
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_FALSE(mark.is_reached());
  }
}

TEST_F(AclmdlRICaptureBegin, LeavesEarlierTasksRunning) {
  Mark before;
  Mark inside;
  {
    Gate gate(stream_);
    EXPECT_OK(before.queue(stream_));
    const Model model = capture(stream_, [&] { EXPECT_OK(inside.queue(stream_)); });
    EXPECT_FALSE(before.is_reached());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(before.is_reached());
    EXPECT_FALSE(inside.is_reached());
  }
}

TEST_F(AclmdlRICaptureBegin, TakesAPersistentStream) {
  const Stream persistent(kPersistent);
  const Model model = capture(persistent, [] {});
}

TEST_F(AclmdlRICaptureBegin, ChecksInOrder) {
  const Stream cpu(kCpuSchedule);
  const Stream device_only(kDeviceUseOnly);
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureBegin(nullptr, kGlobal));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclmdlRICaptureBegin(nullptr, static_cast<aclmdlRICaptureMode>(3)));
  for (const int mode : {-1, 3, 0x7fffffff}) {
    EXPECT_FAILS(kBadValue, "EE1003",
                 aclmdlRICaptureBegin(stream_, static_cast<aclmdlRICaptureMode>(mode)));
    EXPECT_FAILS(kBadValue, "EE1003",
                 aclmdlRICaptureBegin(cpu, static_cast<aclmdlRICaptureMode>(mode)));
  }
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureBegin(handle, kGlobal));
  EXPECT_FAILS(kInternal, "EE1011", aclmdlRICaptureBegin(cpu, kGlobal));
  EXPECT_FAILS(kInternal, "EE1011", aclmdlRICaptureBegin(device_only, kGlobal));
  on_new_thread([&] {
    EXPECT_FAILS(kInternal, "EE1011", aclmdlRICaptureBegin(cpu, kGlobal));
    EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureBegin(stream_, kGlobal));
  });
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRICaptureBegin(stream_, kGlobal));
  }
  aclrtStream standard = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&standard));
  EXPECT_FAILS(kNotSupported, "EE1017", aclmdlRICaptureBegin(standard, kGlobal));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(stream_));
}

TEST_F(AclmdlRICaptureBegin, ASecondBeginLeavesTheCaptureAsItIs) {
  Mark mark;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  const aclmdlRI first = model_of(stream_);
  EXPECT_OK(mark.queue(stream_));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRICaptureBegin(stream_, kGlobal));
  EXPECT_EQ(first, model_of(stream_));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_EQ(first, model);
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(AclmdlRICaptureBegin, AJoinedStreamIsCapturedToo) {
  const Stream side;
  const Event event = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(side, event));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRICaptureBegin(side, kRelaxed));
  discard(stream_);
}

TEST_F(AclmdlRICaptureBegin, SeveralCapturesAtATime) {
  const Stream other;
  Mark here;
  Mark there;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(here.queue(stream_));
  EXPECT_OK(there.queue(other));
  aclmdlRI first = nullptr;
  aclmdlRI second = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &first));
  EXPECT_OK(aclmdlRICaptureEnd(other, &second));
  EXPECT_NE(first, second);
  EXPECT_OK(aclmdlRIExecuteAsync(second, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(here.is_reached());
  EXPECT_TRUE(there.is_reached());
  EXPECT_OK(aclmdlRIDestroy(first));
  EXPECT_OK(aclmdlRIDestroy(second));
}

TEST_F(AclmdlRICaptureBegin, AContextThatIsDestroyedTakesItsCaptureAlong) {
  OtherContext other;
  aclmdlRI captured = nullptr;
  aclmdlRI ready = nullptr;
  {
    const streams::Inside inside(other);
    Stream stream;
    Stream second;
    ready = capture(second, [] {}).release();
    EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
    captured = model_of(stream);
    static_cast<void>(stream.release());
    static_cast<void>(second.release());
  }
  EXPECT_OK(aclrtDestroyContext(other.release()));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDestroy(captured));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDestroy(ready));
  DeviceBuffer buffer(64);
  buffer.write(pattern(64));  // no capture forbids it any more
}

FERRY_PROCESS_TEST(AclmdlRICaptureBeginProcess, NotOnProductsWithoutCaptures,
                   "FERRY_SOC=Ascend310B1") {
  ASSERT_OK(aclrtSetDevice(0));
  const Stream stream;
  EXPECT_FAILS(kBadValue, "EE1003",
               aclmdlRICaptureBegin(stream, static_cast<aclmdlRICaptureMode>(3)));
  EXPECT_FAILS(kNotSupported, "WE0001", aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(stream));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureBegin_test
