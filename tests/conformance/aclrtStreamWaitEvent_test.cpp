// SPDX-License-Identifier: Apache-2.0
// aclrtStreamWaitEvent: what a wait waits for. Errors are in aclrtStreamWaitEvent_errors_test.cpp,
// many streams that wait for each other in aclrtStreamWaitEvent_chain_test.cpp.
#include "support/streams.h"

namespace conformance::aclrtStreamWaitEvent_test {
namespace {

using streams::current_context;
using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kTimedOut = 507046;

class AclrtStreamWaitEvent : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    ASSERT_OK(aclrtCreateStream(&waiting_));
  }
  void TearDown() override {
    EXPECT_OK(aclrtDestroyStream(waiting_));
    WithStream::TearDown();
  }

  bool is_waiting() {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_OK(aclrtStreamQuery(waiting_, &status));
    return status == ACL_STREAM_STATUS_NOT_READY;
  }

  aclrtStream waiting_ = nullptr;
};

TEST_F(AclrtStreamWaitEvent, LetsAStreamWaitForAnother) {
  const Event events[] = {Event::plain(),        Event::with_flag(),
                          Event::with_flag(0xB), Event::with_flag(ACL_EVENT_EXTERNAL),
                          Event::ex(),           Event::ex(0xB)};
  for (const Event& event : events) {
    Mark first;
    Mark second;
    Gate gate(stream_);
    EXPECT_OK(first.queue(stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(second.queue(waiting_));
    EXPECT_TRUE(is_waiting());
    EXPECT_FALSE(second.is_reached());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
    EXPECT_TRUE(first.is_reached());
    EXPECT_TRUE(second.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, HoldsOnlyWorkQueuedLater) {
  const Event event = Event::ex();
  Mark before;
  Mark after;
  const Event reached = Event::ex();
  Hold hold(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(before.queue(waiting_));
  EXPECT_OK(aclrtRecordEvent(reached, waiting_));
  EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
  EXPECT_OK(after.queue(waiting_));
  EXPECT_OK(aclrtSynchronizeEvent(reached));
  EXPECT_TRUE(before.is_reached());
  EXPECT_FALSE(after.is_reached());
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(waiting_));
  EXPECT_TRUE(after.is_reached());
}

TEST_F(AclrtStreamWaitEvent, DoesNotWaitForAnExEventThatWasNeverRecorded) {
  for (const uint32_t flag : {ACL_EVENT_SYNC, uint32_t{0xB}}) {
    const Event event = Event::ex(flag);
    Mark mark;
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(mark.queue(waiting_));
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, DoesNotWaitForAnExEventThatIsRecordedAfterTheWait) {
  const Event event = Event::ex();
  const Hold hold(stream_);
  EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting_));
}

TEST_F(AclrtStreamWaitEvent, WaitsForTheFirstRecordOfAFlagEvent) {
  const Event event = Event::with_flag();
  Mark mark;
  EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
  EXPECT_OK(mark.queue(waiting_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting_, 1));
  EXPECT_FALSE(mark.is_reached());
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting_, 1));
  EXPECT_FALSE(mark.is_reached()) << "the record is queued but not reached";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(waiting_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamWaitEvent, LetsOneRecordEndManyWaits) {
  const Event event = Event::with_flag();
  std::vector<Stream> many(50);
  std::vector<Mark> marks(many.size());
  for (size_t i = 0; i < many.size(); ++i) {
    EXPECT_OK(aclrtStreamWaitEvent(many[i], event));
    EXPECT_OK(marks[i].queue(many[i]));
  }
  for (const Mark& mark : marks)
    EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  for (size_t i = 0; i < many.size(); ++i) {
    EXPECT_OK(aclrtSynchronizeStream(many[i]));
    EXPECT_TRUE(marks[i].is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, DoesNotWaitForARecordThatIsDone) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    const Hold hold(stream_);
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
  }
}

TEST_F(AclrtStreamWaitEvent, CanWaitForARecordOnTheSameStream) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, EndsAlthoughTheEventIsRecordedAgainAndThatRecordWaits) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    const Stream other;
    Mark mark;
    Hold hold(stream_);
    const Hold forever(other);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(mark.queue(waiting_));
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_FALSE(mark.is_reached());
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, StillWaitsAlthoughTheEventIsRecordedAgainAndThatRecordIsDone) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    const Stream other;
    Mark mark;
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(mark.queue(waiting_));
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_TRUE(is_waiting());
    EXPECT_FALSE(mark.is_reached());
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, WaitsForTheNewestRecordWhenThereAreTwo) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, event));
    EXPECT_OK(mark.queue(waiting_));
    EXPECT_TRUE(is_waiting());
    EXPECT_FALSE(mark.is_reached());
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(waiting_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, CarriesBytesFromStreamToStreamRoundAfterRound) {
  // A ring of two buffers: each round overwrites what the previous one left.
  const size_t size = 4096;
  DeviceBuffer device(size);
  PinnedBuffer source(size);
  PinnedBuffer result(size);
  const Event filled = Event::ex();
  const Event emptied = Event::ex();
  for (int round = 0; round < 30; ++round) {
    const std::vector<uint8_t> bytes = pattern(size, static_cast<uint8_t>(round));
    source.fill(bytes);
    EXPECT_OK(aclrtStreamWaitEvent(stream_, emptied));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), size, source.get(), size, ACL_MEMCPY_HOST_TO_DEVICE,
                               stream_));
    EXPECT_OK(aclrtRecordEvent(filled, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(waiting_, filled));
    EXPECT_OK(aclrtMemcpyAsync(result.get(), size, device.get(), size, ACL_MEMCPY_DEVICE_TO_HOST,
                               waiting_));
    EXPECT_OK(aclrtRecordEvent(emptied, waiting_));
    EXPECT_OK(aclrtSynchronizeEvent(emptied));
    EXPECT_EQ(bytes, result.copy());
  }
}

TEST_F(AclrtStreamWaitEvent, TakesNullForTheDefaultStream) {
  const Event event = Event::ex();
  Mark mark;
  Hold hold(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  EXPECT_FALSE(mark.is_reached());
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamWaitEvent, WaitsForARecordOfAnotherContext) {
  OtherContext other;
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    Mark mark;
    Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    {
      const Inside inside(other);
      EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
      EXPECT_OK(mark.queue(nullptr));
      EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
      EXPECT_FALSE(mark.is_reached());
    }
    hold.release();
    const Inside inside(other);
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtStreamWaitEvent, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int) {
    const Stream own;
    const Event event = Event::ex();
    Mark mark;
    for (int i = 0; i < 50; ++i) {
      mark.clear();
      ASSERT_OK(mark.queue(own));
      ASSERT_OK(aclrtRecordEvent(event, own));
      ASSERT_OK(aclrtStreamWaitEvent(waiting_, event));
      ASSERT_OK(aclrtSynchronizeStream(waiting_));
      ASSERT_TRUE(mark.is_reached());
    }
  });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventProcess, WaitsForARecordOfAnotherDevice,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  const aclrtContext far = current_context();
  ASSERT_OK(aclrtSetDevice(0));
  Mark mark;
  for (int kind = 0; kind < 3; ++kind) {
    const Stream near_stream;
    const aclrtContext near = current_context();
    ASSERT_OK(aclrtSetCurrentContext(far));
    {
      const Event event = kind == 0 ? Event::plain() : kind == 1 ? Event::with_flag() : Event::ex();
      Stream far_stream;
      Hold hold(far_stream);
      EXPECT_OK(aclrtRecordEvent(event, far_stream));
      {
        const Inside inside(near);
        mark.clear();
        EXPECT_OK(aclrtStreamWaitEvent(near_stream, event));
        EXPECT_OK(mark.queue(near_stream));
        EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(near_stream, 1));
        EXPECT_FALSE(mark.is_reached());
      }
      hold.release();
      EXPECT_OK(aclrtSynchronizeStream(near_stream));
      EXPECT_TRUE(mark.is_reached());
    }
    ASSERT_OK(aclrtSetCurrentContext(near));
  }
}

}  // namespace
}  // namespace conformance::aclrtStreamWaitEvent_test
