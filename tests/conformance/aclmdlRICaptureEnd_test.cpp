// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureEnd: makes a model of what was recorded, or discards it.
#include "support/models.h"

namespace conformance::aclmdlRICaptureEnd_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureEnd = WithStream;

aclmdlRI garbage() {
  return reinterpret_cast<aclmdlRI>(uintptr_t{0x77});
}

// The capture is over: the model is NULL, the stream usable, and nothing recorded ever runs.
void expect_discarded(aclError code, aclrtStream stream, Mark& mark) {
  aclmdlRI model = garbage();
  EXPECT_FAILS_WITH(code, aclmdlRICaptureEnd(stream, &model));
  EXPECT_EQ(nullptr, model);
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(mark.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
  mark.clear();
}

TEST_F(AclmdlRICaptureEnd, ChecksInOrder) {
  const Stream cpu(kCpuSchedule);
  const Stream device_only(kDeviceUseOnly);
  aclmdlRI model = garbage();
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureEnd(nullptr, &model));
  EXPECT_FAILS(kInternal, "EE1011", aclmdlRICaptureEnd(cpu, &model));
  EXPECT_FAILS(kInternal, "EE1011", aclmdlRICaptureEnd(device_only, nullptr));
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureEnd(handle, &model));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureEnd(stream_, &model)); });
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRICaptureEnd(stream_, &model));
  }
  aclrtStream standard = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&standard));
  EXPECT_FAILS(kNotSupported, "EE1017", aclmdlRICaptureEnd(standard, &model));
  EXPECT_FAILS(kNotCaptured, "EE1018", aclmdlRICaptureEnd(stream_, &model));
  EXPECT_FAILS(kNotCaptured, "EE1018", aclmdlRICaptureEnd(stream_, nullptr));
  EXPECT_EQ(garbage(), model);
}

TEST_F(AclmdlRICaptureEnd, WithoutAPlaceForTheModelTheCaptureGoesOn) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRICaptureEnd(stream_, nullptr));
  on_new_thread([&] { EXPECT_FAILS(kBadValue, "EE1004", aclmdlRICaptureEnd(stream_, nullptr)); });
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(AclmdlRICaptureEnd, AnEmptyCaptureIsAModelToo) {
  const Model model = capture(stream_, [] {});
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclmdlRICaptureEnd, OnAJoinedStreamTheCaptureGoesOn) {
  const Stream side;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(fork, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  aclmdlRI model = garbage();
  EXPECT_FAILS_WITH(kUnmatched, aclmdlRICaptureEnd(side, &model));
  EXPECT_EQ(garbage(), model);
  EXPECT_OK(aclrtRecordEvent(back, side));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(AclmdlRICaptureEnd, OnAnotherThreadOnlyInRelaxedMode) {
  Mark mark;
  const aclrtContext context = streams::current_context();
  for (const auto mode : {kGlobal, kThreadLocal}) {
    EXPECT_OK(aclmdlRICaptureBegin(stream_, mode));
    EXPECT_OK(mark.queue(stream_));
    streams::start_in(context, [&] { expect_discarded(kWrongThread, stream_, mark); }).join();
    aclmdlRI model = nullptr;
    EXPECT_FAILS_WITH(kNotCaptured, aclmdlRICaptureEnd(stream_, &model));
  }
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  streams::start_in(context, [&] {
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
    EXPECT_OK(aclmdlRIDestroy(model));
  }).join();
}

TEST_F(AclmdlRICaptureEnd, AnInvalidCaptureIsDiscarded) {
  Mark mark;
  const Stream other;
  const Event foreign = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(foreign, other));
  EXPECT_FAILS_WITH(kConflict, aclrtStreamWaitEvent(stream_, foreign));
  EXPECT_OK(mark.queue(stream_));  // dropped
  expect_discarded(kInvalidated, stream_, mark);
  expect_discarded(kInvalidated, other, mark);
}

TEST_F(AclmdlRICaptureEnd, AStreamThatDoesNotComeBackDiscardsIt) {
  Mark mark;
  const Stream side;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  const Event late = Event::ex();
  const auto begin = [&] {
    EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
    EXPECT_OK(aclrtRecordEvent(fork, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  };
  // It does nothing more.
  begin();
  expect_discarded(kUnjoined, stream_, mark);
  // Its last task is no record.
  begin();
  EXPECT_OK(aclrtRecordEvent(back, side));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
  EXPECT_OK(mark.queue(side));
  expect_discarded(kUnjoined, stream_, mark);
  // Its last record is not waited for.
  begin();
  EXPECT_OK(aclrtRecordEvent(back, side));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
  EXPECT_OK(aclrtRecordEvent(late, side));
  expect_discarded(kUnjoined, stream_, mark);
  // It waits for itself.
  begin();
  EXPECT_OK(aclrtRecordEvent(back, side));
  EXPECT_OK(aclrtStreamWaitEvent(side, back));
  expect_discarded(kUnjoined, stream_, mark);
}

TEST_F(AclmdlRICaptureEnd, TwoStreamsThatWaitForEachOtherOnlyDoNotComeBack) {
  Mark mark;
  const Stream second;
  const Stream third;
  const Event events[] = {Event::ex(), Event::ex(), Event::ex()};
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(events[0], stream_));
  EXPECT_OK(aclrtStreamWaitEvent(second, events[0]));
  EXPECT_OK(aclrtStreamWaitEvent(third, events[0]));
  EXPECT_OK(aclrtRecordEvent(events[1], second));
  EXPECT_OK(aclrtStreamWaitEvent(third, events[1]));
  EXPECT_OK(aclrtRecordEvent(events[2], third));
  EXPECT_OK(aclrtStreamWaitEvent(second, events[2]));
  EXPECT_OK(aclrtRecordEvent(events[1], second));
  expect_discarded(kUnjoined, stream_, mark);
}

TEST_F(AclmdlRICaptureEnd, AStreamMayComeBackThroughAnother) {
  const Stream second;
  const Stream third;
  const Event to_second = Event::ex();
  const Event to_third = Event::ex();
  const Event from_third = Event::ex();
  const Event from_second = Event::ex();
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtRecordEvent(to_second, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(second, to_second));
    EXPECT_OK(aclrtRecordEvent(to_third, second));
    EXPECT_OK(aclrtStreamWaitEvent(third, to_third));
    EXPECT_OK(aclrtRecordEvent(from_third, third));
    EXPECT_OK(aclrtStreamWaitEvent(second, from_third));
    EXPECT_OK(aclrtRecordEvent(from_second, second));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, from_second));
  });
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclmdlRICaptureEnd, EventsArePlainAgain) {
  const Event fresh = Event::ex();
  const Event recorded = Event::ex();
  EXPECT_OK(aclrtRecordEvent(recorded, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtRecordEvent(fresh, stream_));
    EXPECT_OK(aclrtRecordEvent(recorded, stream_));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_FAILS_WITH(kEventCaptured, aclrtQueryEventStatus(recorded, &status));
  });
  for (const Event* event : {&fresh, &recorded}) {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_OK(aclrtQueryEventStatus(*event, &status));
    EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, status);
    EXPECT_OK(aclrtSynchronizeEvent(*event));
  }
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  float time = 0;
  EXPECT_FAILS_WITH(kInternal, aclrtEventElapsedTime(&time, fresh, fresh));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureEnd_test
