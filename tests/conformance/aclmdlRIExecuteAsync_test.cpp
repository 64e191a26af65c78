// SPDX-License-Identifier: Apache-2.0
// aclmdlRIExecuteAsync: a run of a model is one task of the stream that launches it.
#include "support/models.h"

namespace conformance::aclmdlRIExecuteAsync_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIExecuteAsync = WithStream;

TEST_F(AclmdlRIExecuteAsync, ChecksInOrder) {
  const Stream cpu(kCpuSchedule);
  const Stream persistent(kPersistent);
  const Stream device_only(kDeviceUseOnly);
  const Stream busy;
  const Model model = capture(stream_, [] {});
  const aclmdlRI dead = dead_model(stream_);
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIExecuteAsync(nullptr, wrong.dead_stream()));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIExecuteAsync(dead, stream_));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS_WITH(kBadHandle, aclmdlRIExecuteAsync(model, handle));
  EXPECT_OK(aclmdlRICaptureBegin(busy, kRelaxed));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRIExecuteAsync(model, busy));
  for (const Stream* stream : {&cpu, &persistent, &device_only}) {
    EXPECT_FAILS(kBadValue, "EE1006", aclmdlRIExecuteAsync(model, *stream));
    EXPECT_FAILS(kBadValue, "EE1006", aclmdlRIExecuteAsync(model_of(busy), *stream));
  }
  on_new_thread([&] {
    EXPECT_FAILS(kBadValue, "EE1006", aclmdlRIExecuteAsync(model, cpu));
    EXPECT_FAILS_WITH(kNoContext, aclmdlRIExecuteAsync(model, stream_));
    EXPECT_FAILS_WITH(kNoContext, aclmdlRIExecuteAsync(model, nullptr));
  });
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIExecuteAsync(model, stream_));
    const Stream foreign;
    const streams::Inside back(streams::current_context());
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIExecuteAsync(model, foreign));
  }
  EXPECT_FAILS_WITH(kModelCaptured, aclmdlRIExecuteAsync(model_of(busy), stream_));
  discard(busy);
}

TEST_F(AclmdlRIExecuteAsync, AStreamOfAnotherContextIsRefused) {
  const Model model = capture(stream_, [] {});
  OtherContext other;
  aclrtStream foreign = nullptr;
  {
    const streams::Inside inside(other);
    foreign = Stream().release();
  }
  EXPECT_FAILS_WITH(kOtherContext, aclmdlRIExecuteAsync(model, foreign));
}

TEST_F(AclmdlRIExecuteAsync, ReadsTheBytesOfEachRun) {
  PinnedBuffer source(64);
  PinnedBuffer result(64);
  const DeviceBuffer device(64);
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(
        aclrtMemcpyAsync(result.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  });
  for (uint8_t seed = 1; seed < 5; ++seed) {
    source.fill(pattern(64, seed));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(64, seed), result.copy());
  }
}

TEST_F(AclmdlRIExecuteAsync, ComesAfterEarlierAndBeforeLaterTasks) {
  PinnedBuffer source(64);
  PinnedBuffer after(64);
  source.fill(pattern(64, 3));
  const DeviceBuffer first(64);
  const DeviceBuffer second(64);
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpyAsync(second.get(), 64, first.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  });
  const Stream launcher;
  Gate gate(launcher);
  EXPECT_OK(
      aclrtMemcpyAsync(first.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, launcher));
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_OK(
      aclrtMemcpyAsync(after.get(), 64, second.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, launcher));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(launcher));
  EXPECT_EQ(pattern(64, 3), after.copy());
}

TEST_F(AclmdlRIExecuteAsync, TheDefaultStreamWillDo) {
  Mark mark;
  const Model model = capture(stream_, [&] { EXPECT_OK(mark.queue(stream_)); });
  EXPECT_OK(aclmdlRIExecuteAsync(model, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclmdlRIExecuteAsync, AnyThreadOfTheContextMayLaunch) {
  Counter counter;
  const Model model = capture(stream_, [&] { EXPECT_OK(counter.queue(stream_)); });
  streams::on_threads(4, [&](int) {
    const Stream launcher;
    for (int i = 0; i < 8; ++i)
      EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
    EXPECT_OK(aclrtSynchronizeStream(launcher));
  });
  EXPECT_EQ(32, counter.calls());
}

TEST_F(AclmdlRIExecuteAsync, RunsOfOneModelDoNotOverlap) {
  // Each run adds 1 to a number by a host function that is not atomic in itself.
  struct Number {
    static void add(void* self) {
      auto& number = *static_cast<Number*>(self);
      EXPECT_EQ(0, number.inside.fetch_add(1));
      ++number.value;
      number.inside.fetch_sub(1);
    }
    std::atomic<int> inside{0};
    int value = 0;
  } number;
  const Model model =
      capture(stream_, [&] { EXPECT_OK(aclrtLaunchHostFunc(stream_, Number::add, &number)); });
  const Stream launchers[4];
  for (int i = 0; i < 20; ++i)
    EXPECT_OK(aclmdlRIExecuteAsync(model, launchers[i % 4]));
  for (const Stream& launcher : launchers)
    EXPECT_OK(aclrtSynchronizeStream(launcher));
  EXPECT_EQ(20, number.value);
}

TEST_F(AclmdlRIExecuteAsync, StreamsOfAModelAreOrderedByEventsOnly) {
  PinnedBuffer source(64);
  PinnedBuffer result(64);
  const DeviceBuffer a(64);
  const DeviceBuffer b(64);
  const Stream side;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtMemcpyAsync(a.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtRecordEvent(fork, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    EXPECT_OK(aclrtMemcpyAsync(b.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, side));
    EXPECT_OK(aclrtRecordEvent(back, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
    EXPECT_OK(aclrtMemcpyAsync(result.get(), 64, b.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  });
  for (uint8_t seed = 1; seed < 20; ++seed) {
    source.fill(pattern(64, seed));
    EXPECT_OK(aclmdlRIExecuteAsync(model, side));
    EXPECT_OK(aclrtSynchronizeStream(side));
    EXPECT_EQ(pattern(64, seed), result.copy());
  }
}

TEST_F(AclmdlRIExecuteAsync, AFailedTaskEndsTheRunAndTheModelStaysReady) {
  Mark before;
  Mark behind;
  streams::BadCopy bad;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(before.queue(stream_));
    EXPECT_OK(bad.queue(stream_));
    EXPECT_OK(behind.queue(stream_));
  });
  const Stream launcher;
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(launcher));
    EXPECT_TRUE(before.is_reached());
    EXPECT_FALSE(behind.is_reached());
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtSynchronizeStream(launcher));  // told once
  }
}

TEST_F(AclmdlRIExecuteAsync, AFailureOnOneStreamEndsTheOthers) {
  const Stream side;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  streams::BadCopy bad;
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtRecordEvent(fork, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    EXPECT_OK(bad.queue(side));
    EXPECT_OK(aclrtRecordEvent(back, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
    EXPECT_OK(behind.queue(stream_));
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
    EXPECT_FALSE(behind.is_reached());
  }
}

TEST_F(AclmdlRIExecuteAsync, TasksBehindAFailedRunGoOn) {
  streams::BadCopy bad;
  Mark behind;
  const Model model = capture(stream_, [&] { EXPECT_OK(bad.queue(stream_)); });
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(behind.queue(stream_));
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(behind.is_reached());
}

TEST_F(AclmdlRIExecuteAsync, AFunctionThatThrowsFailsTheRun) {
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream_, [](void*) { throw 1; }, nullptr));
    EXPECT_OK(behind.queue(stream_));
  });
  const Stream launcher;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(launcher));
  EXPECT_FALSE(behind.is_reached());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclmdlRIExecuteAsync, AnAbortEndsTheRun) {
  const streams::Notify never;
  Mark behind;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtWaitAndResetNotify(never, stream_, 0));
    EXPECT_OK(behind.queue(stream_));
  });
  const Stream launcher;
  const Stream second;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(launcher, 1));
  EXPECT_OK(aclrtStreamAbort(launcher));
  EXPECT_OK(aclrtSynchronizeStream(launcher));
  EXPECT_FALSE(behind.is_reached());
  EXPECT_OK(aclmdlRIExecuteAsync(model, second));
  EXPECT_OK(aclrtRecordNotify(never, stream_));
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_TRUE(behind.is_reached());
}

// The second run waits for the first one when both streams have come to it.
TEST_F(AclmdlRIExecuteAsync, AnAbortEndsARunThatWaitsForItsTurn) {
  const streams::Notify notify;
  Counter counter;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
    EXPECT_OK(counter.queue(stream_));
  });
  const Stream first;
  const Stream second;
  EXPECT_OK(aclmdlRIExecuteAsync(model, first));
  EXPECT_OK(aclmdlRIExecuteAsync(model, second));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(first, 1));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(second, 1));
  EXPECT_OK(aclrtStreamAbort(second));
  EXPECT_OK(aclrtRecordNotify(notify, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_EQ(1, counter.calls());
}

TEST_F(AclmdlRIExecuteAsync, AForcedDestructionEndsTheRun) {
  const streams::Notify never;
  const Model model =
      capture(stream_, [&] { EXPECT_OK(aclrtWaitAndResetNotify(never, stream_, 0)); });
  Stream launcher;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_OK(aclrtDestroyStreamForce(launcher.release()));
}

TEST_F(AclmdlRIExecuteAsync, ACallbackRunsOnTheThreadThatIsSubscribedThen) {
  Counter counter;
  const uint64_t self = static_cast<uint64_t>(pthread_self());
  EXPECT_OK(aclrtSubscribeReport(self, stream_));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtLaunchCallback(Counter::count, &counter, ACL_CALLBACK_BLOCK, stream_));
  });
  const Stream launcher;
  for (int i = 1; i < 4; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
    EXPECT_OK(aclrtProcessReport(10000));
    EXPECT_OK(aclrtSynchronizeStream(launcher));
    EXPECT_EQ(i, counter.calls());
  }
  EXPECT_OK(aclrtUnSubscribeReport(self, stream_));
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(107015, aclrtSynchronizeStream(launcher));
  EXPECT_EQ(3, counter.calls());
}

TEST_F(AclmdlRIExecuteAsync, DifferentModelsOverlap) {
  const streams::Notify notify;
  const Stream other;
  const Model waits =
      capture(stream_, [&] { EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0)); });
  const Model sets = capture(other, [&] { EXPECT_OK(aclrtRecordNotify(notify, other)); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(waits, stream_));
    EXPECT_OK(aclmdlRIExecuteAsync(sets, other));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtSynchronizeStream(other));
  }
}

}  // namespace
}  // namespace conformance::aclmdlRIExecuteAsync_test
