// SPDX-License-Identifier: Apache-2.0
// Events and captures: forks, joins, and events that belong to the world outside of a model.
#include "support/models.h"

namespace conformance::captured_events_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using CapturedEvents = WithStream;

TEST_F(CapturedEvents, OnlyExEventsWithSyncOrderStreams) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  const Event plain = Event::plain();
  const Event flagged = Event::with_flag(ACL_EVENT_SYNC);
  for (const Event* event : {&plain, &flagged}) {
    EXPECT_FAILS_WITH(kNotSupported, aclrtRecordEvent(*event, stream_));
    EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, *event));
    EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(*event, stream_));
  }
  for (const uint32_t flag : {ACL_EVENT_TIME_LINE, ACL_EVENT_CAPTURE_STREAM_PROGRESS}) {
    const Event timed = Event::ex(flag);
    EXPECT_OK(aclrtRecordEvent(timed, stream_));
    EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, timed));
  }
  const Event shared = Event::ex(ACL_EVENT_IPC);
  EXPECT_FAILS_WITH(kNotSupported, aclrtRecordEvent(shared, stream_));
  EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, shared));
  const Event ex = Event::ex();
  EXPECT_FAILS_WITH(kNotSupported, aclrtResetEvent(ex, stream_));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(CapturedEvents, JoiningHasConditions) {
  const Event event = Event::ex();
  const Stream cpu(kCpuSchedule);
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_FAILS_WITH(kInternal, aclrtStreamWaitEvent(cpu, event));
  EXPECT_FAILS(kImplicit, "EE1017", aclrtStreamWaitEvent(nullptr, event));
  EXPECT_FAILS(kImplicit, "EE1017", aclrtRecordEvent(event, nullptr));
  const OtherContext other;
  {
    const streams::Inside inside(other);
    const Stream foreign;
    EXPECT_FAILS_WITH(kOtherContext, aclrtStreamWaitEvent(foreign, event));
  }
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(CapturedEvents, AnEventRecordedOutsideIsRefusedAndOneNeverRecordedIgnored) {
  const Event outside = Event::ex();
  const Event never = Event::ex();
  EXPECT_OK(aclrtRecordEvent(outside, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(stream_, never));
    clear_errors();
    EXPECT_EQ(kDependency, aclrtStreamWaitEvent(stream_, outside));
    uint32_t id = 0;
    EXPECT_OK(aclrtGetEventId(outside, &id));
    const std::string text = recent_text();
    EXPECT_NE(std::string::npos, text.find("id " + std::to_string(id))) << text;
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  });
}

TEST_F(CapturedEvents, CapturesThatWaitForEachOtherAreInvalid) {
  const Stream other;
  const Event event = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_FAILS_WITH(kConflict, aclrtStreamWaitEvent(other, event));
  for (aclrtStream stream : {stream_, aclrtStream(other)}) {
    aclmdlRI model = nullptr;
    EXPECT_FAILS(kInvalidated, "EE1016", aclmdlRICaptureEnd(stream, &model));
  }
}

TEST_F(CapturedEvents, ASecondRecordMakesANewPoint) {
  const Stream side;
  const Event event = Event::ex();
  const Event back = Event::ex();
  PinnedBuffer source(64);
  PinnedBuffer result(64);
  const DeviceBuffer a(64);
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, event));
    EXPECT_OK(aclrtMemcpyAsync(a.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, event));
    EXPECT_OK(aclrtMemcpyAsync(result.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, side));
    EXPECT_OK(aclrtRecordEvent(back, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
  });
  for (uint8_t seed = 1; seed < 10; ++seed) {
    source.fill(pattern(64, seed));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(64, seed), result.copy());
  }
}

TEST_F(CapturedEvents, AnEventMayBeDestroyedDuringTheCapture) {
  const Stream side;
  Mark mark;
  const Model model = capture(stream_, [&] {
    Event fork = Event::ex();
    const Event back = Event::ex();
    EXPECT_OK(aclrtRecordEvent(fork, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    EXPECT_OK(aclrtDestroyEvent(fork.release()));
    EXPECT_OK(mark.queue(side));
    EXPECT_OK(aclrtRecordEvent(back, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
  });
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(CapturedEvents, ManyStreamsForkAndJoin) {
  constexpr size_t kStreams = 6;
  const Stream sides[kStreams];
  const Event fork = Event::ex();
  std::vector<Event> backs;
  for (size_t i = 0; i < kStreams; ++i)
    backs.push_back(Event::ex());
  PinnedBuffer source(64);
  const DeviceBuffer common(64);
  const DeviceBuffer copies(64 * kStreams);
  PinnedBuffer result(64 * kStreams);
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpyAsync(common.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtRecordEvent(fork, stream_));
    for (size_t i = 0; i < kStreams; ++i) {
      EXPECT_OK(aclrtStreamWaitEvent(sides[i], fork));
      EXPECT_OK(aclrtMemcpyAsync(copies.at(64 * i), 64, common.get(), 64,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, sides[i]));
      EXPECT_OK(aclrtRecordEvent(backs[i], sides[i]));
    }
    for (size_t i = 0; i < kStreams; ++i)
      EXPECT_OK(aclrtStreamWaitEvent(stream_, backs[i]));
    EXPECT_OK(aclrtMemcpyAsync(result.get(), result.size(), copies.get(), result.size(),
                               ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  });
  for (uint8_t seed = 1; seed < 10; ++seed) {
    source.fill(pattern(64, seed));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    for (size_t i = 0; i < kStreams; ++i)
      EXPECT_EQ(0, std::memcmp(pattern(64, seed).data(), result.bytes() + 64 * i, 64));
  }
}

// ---- events made with ACL_EVENT_EXTERNAL ----

TEST_F(CapturedEvents, AnExternalEventActsWhenTheRunGetsThere) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  const Stream other;
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
    EXPECT_OK(aclrtResetEvent(event, stream_));
    EXPECT_OK(behind.queue(stream_));
  });
  for (int i = 0; i < 3; ++i) {
    behind.clear();
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(stream_, 1));
    EXPECT_FALSE(behind.is_reached());
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(behind.is_reached());
  }
}

TEST_F(CapturedEvents, AModelMayRecordAnExternalEvent) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  const Stream other;
  Mark before;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(before.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
  });
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_TRUE(before.is_reached());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(CapturedEvents, AnAbortedWaitForAnExternalEventCanRunAgain) {
  const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
    EXPECT_OK(behind.queue(stream_));
  });
  const Stream launcher;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(launcher, 1));
  EXPECT_OK(aclrtStreamAbort(launcher));
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(launcher));
  EXPECT_TRUE(behind.is_reached());
}

// ---- records and waits with the flag EXTERNAL ----

TEST_F(CapturedEvents, TheFlagExternalIsCheckedInOrder) {
  const Event event = Event::ex();
  const Event timed = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  const Event plain = Event::plain();
  const Event device_only = Event::with_flag(ACL_EVENT_DEVICE_USE_ONLY);
  EXPECT_FAILS(kBadValue, "EE1004", aclrtRecordEventWithFlag(nullptr, stream_, 2));
  EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamWaitEventWithFlag(stream_, nullptr, 0, 2));
  EXPECT_FAILS(kBadValue, "EE1003", aclrtRecordEventWithFlag(device_only, stream_, 2));
  EXPECT_FAILS(kBadValue, "EE1003", aclrtStreamWaitEventWithFlag(stream_, device_only, 0, 2));
  EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(device_only, stream_, 1));
  EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, device_only, 0, 1));
  for (const Event* bad : {&timed, &plain}) {
    EXPECT_FAILS_WITH(kNotSupported, aclrtRecordEventWithFlag(*bad, stream_, 1));
    EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEventWithFlag(stream_, *bad, 0, 1));
  }
  EXPECT_FAILS_WITH(kNotCaptured, aclrtRecordEventWithFlag(event, stream_, 1));
  EXPECT_FAILS_WITH(kNotCaptured, aclrtStreamWaitEventWithFlag(stream_, event, 0, 1));
  // The first flag counts, although the call has failed.
  EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(event, stream_, 0));
  EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, event, 0, 0));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, event, 1, 1));
  EXPECT_OK(aclrtRecordEventWithFlag(event, stream_, 1));
  EXPECT_FAILS_WITH(kBadValue, aclrtRecordEventWithFlag(event, stream_, 1));
  EXPECT_FAILS_WITH(kBadValue, aclrtStreamWaitEventWithFlag(stream_, event, 0, 1));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(CapturedEvents, EachLaunchRecordsAnExternalEventAnew) {
  const Event event = Event::ex();
  const Stream other;
  Mark behind;
  const streams::Notify notify;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
    EXPECT_OK(aclrtRecordEventWithFlag(event, stream_, 1));
  });
  for (int i = 0; i < 3; ++i) {
    behind.clear();
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(other, event));
    EXPECT_OK(behind.queue(other));
    EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(other, 1));
    EXPECT_FALSE(behind.is_reached());
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_NOT_READY, status);
    const Stream setter;
    EXPECT_OK(aclrtRecordNotify(notify, setter));
    EXPECT_OK(aclrtSynchronizeStream(other));
    EXPECT_TRUE(behind.is_reached());
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
}

TEST_F(CapturedEvents, AnExternalWaitWaitsForTheLatestRecordAtTheLaunch) {
  const Event event = Event::ex();
  const Stream other;
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtStreamWaitEventWithFlag(stream_, event, 0, 1));
    EXPECT_OK(behind.queue(stream_));
  });
  // Never recorded: nothing to wait for.
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(behind.is_reached());
  for (int i = 0; i < 3; ++i) {
    behind.clear();
    Gate gate(other);
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(stream_, 1));
    EXPECT_FALSE(behind.is_reached());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(behind.is_reached());
  }
}

TEST_F(CapturedEvents, ARunThatIsDroppedEndsTheWaitsForItsRecords) {
  const Event event = Event::ex();
  const Stream other;
  const Stream launcher;
  const streams::Notify never;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtWaitAndResetNotify(never, stream_, 0));
    EXPECT_OK(aclrtRecordEventWithFlag(event, stream_, 1));
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
    EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));  // not reached before the abort
    EXPECT_OK(aclrtStreamWaitEvent(other, event));
    EXPECT_OK(aclrtStreamAbort(launcher));
    EXPECT_OK(aclrtSynchronizeStream(other));
  }
}

}  // namespace
}  // namespace conformance::captured_events_test
