// SPDX-License-Identifier: Apache-2.0
// aclrtStreamWaitEvent: very many streams that wait for each other, with one copy thread. A waiting
// stream occupies no thread, so nothing here may block forever.
#include "support/streams.h"

namespace conformance::aclrtStreamWaitEvent_chain_test {
namespace {

using streams::Event;
using streams::Hold;
using streams::Mark;
using streams::Stream;

// Cells of device memory. Stream i copies cell i + 1 to cell i, so the bytes of the last cell
// arrive in cell 0 only if the streams run from the last to the first.
class Cells {
 public:
  explicit Cells(size_t count) : memory_((count + 1) * kBytes) {
    memory_.write(std::vector<uint8_t>(memory_.size()));
    memory_.write(pattern(kBytes, 9), count * kBytes);
  }
  aclError queue_step(size_t i, aclrtStream stream) {
    return aclrtMemcpyAsync(memory_.at(i * kBytes), kBytes, memory_.at((i + 1) * kBytes), kBytes,
                            ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
  }
  bool is_carried() const { return memory_.read(0, kBytes) == pattern(kBytes, 9); }

 private:
  static constexpr size_t kBytes = 256;
  DeviceBuffer memory_;
};

void release_a_chain_from_its_end(size_t length) {
  Cells cells(length);
  std::vector<Stream> chain(length);
  std::vector<Event> events;
  for (size_t i = 0; i <= length; ++i)
    events.push_back(Event::with_flag());
  for (size_t i = 0; i < length; ++i) {
    ASSERT_OK(aclrtStreamWaitEvent(chain[i], events[i + 1]));
    ASSERT_OK(cells.queue_step(i, chain[i]));
    ASSERT_OK(aclrtRecordEvent(events[i], chain[i]));
  }
  EXPECT_FALSE(cells.is_carried());
  ASSERT_OK(aclrtRecordEvent(events[length], nullptr));
  EXPECT_OK(aclrtSynchronizeStream(chain[0]));
  EXPECT_TRUE(cells.is_carried());
}

// As above, with events that are recorded before they are waited for.
void run_a_chain_in_order(size_t length) {
  Cells cells(length);
  std::vector<Stream> chain(length);
  std::vector<Event> events;
  for (size_t i = 0; i < length; ++i)
    events.push_back(i % 2 == 0 ? Event::ex() : Event::plain());
  Gate gate(chain[length - 1]);
  for (size_t i = length; i-- > 0;) {
    if (i + 1 < length) {
      ASSERT_OK(aclrtStreamWaitEvent(chain[i], events[i + 1]));
    }
    ASSERT_OK(cells.queue_step(i, chain[i]));
    ASSERT_OK(aclrtRecordEvent(events[i], chain[i]));
  }
  EXPECT_FALSE(cells.is_carried());
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(events[0]));
  EXPECT_TRUE(cells.is_carried());
}

using AclrtStreamWaitEventChain = WithDevice;

TEST_F(AclrtStreamWaitEventChain, ReleasesAChainFromItsEnd) {
  release_a_chain_from_its_end(300);
}

TEST_F(AclrtStreamWaitEventChain, RunsAChainInOrder) {
  run_a_chain_in_order(300);
}

// The rest runs with one copy thread.
void with_device(const std::function<void()>& body) {
  ASSERT_OK(aclrtSetDevice(0));
  body();
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, ReleasesAChainFromItsEnd, "FERRY_THREADS=1") {
  with_device([] { release_a_chain_from_its_end(1000); });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, RunsAChainInOrder, "FERRY_THREADS=1") {
  with_device([] { run_a_chain_in_order(1000); });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, RunsFreeStreamsWhileManyAreHeld,
                   "FERRY_THREADS=1") {
  with_device([] {
    const Event event = Event::with_flag();
    std::vector<Stream> held(200);
    std::vector<Mark> marks(held.size());
    for (size_t i = 0; i < held.size(); ++i) {
      ASSERT_OK(aclrtStreamWaitEvent(held[i], event));
      ASSERT_OK(marks[i].queue(held[i]));
    }
    const Stream free;
    Mark mark;
    ASSERT_OK(mark.queue(free));
    EXPECT_OK(aclrtSynchronizeStream(free));
    EXPECT_TRUE(mark.is_reached());
    for (const Mark& other : marks)
      EXPECT_FALSE(other.is_reached());
    ASSERT_OK(aclrtRecordEvent(event, free));
    EXPECT_OK(aclrtSynchronizeDevice());
    for (const Mark& other : marks)
      EXPECT_TRUE(other.is_reached());
  });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, LetsOneStreamWaitForAllOthers,
                   "FERRY_THREADS=1") {
  with_device([] {
    std::vector<Stream> sources(200);
    std::vector<Mark> marks(sources.size());
    const Stream sink;
    Mark last;
    Hold hold(sources[0]);
    for (size_t i = 0; i < sources.size(); ++i) {
      ASSERT_OK(marks[i].queue(sources[i]));
      const Event event = Event::ex();
      ASSERT_OK(aclrtRecordEvent(event, sources[i]));
      ASSERT_OK(aclrtStreamWaitEvent(sink, event));
    }
    ASSERT_OK(last.queue(sink));
    EXPECT_FALSE(last.is_reached());
    hold.release();
    EXPECT_OK(aclrtSynchronizeStream(sink));
    EXPECT_TRUE(last.is_reached());
    for (const Mark& mark : marks)
      EXPECT_TRUE(mark.is_reached());
  });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, ServesManyThreadsThatWaitForHeldStreams,
                   "FERRY_THREADS=1") {
  with_device([] {
    const Event event = Event::with_flag();
    std::vector<Stream> held(8);
    std::vector<Mark> marks(held.size());
    std::vector<std::thread> waiters;
    for (size_t i = 0; i < held.size(); ++i) {
      ASSERT_OK(aclrtStreamWaitEvent(held[i], event));
      ASSERT_OK(marks[i].queue(held[i]));
      waiters.push_back(streams::start_in(streams::current_context(), [&held, &marks, i] {
        EXPECT_OK(aclrtSynchronizeStream(held[i]));
        EXPECT_TRUE(marks[i].is_reached());
      }));
    }
    ASSERT_OK(aclrtRecordEvent(event, nullptr));
    for (std::thread& waiter : waiters)
      waiter.join();
  });
}

FERRY_PROCESS_TEST(AclrtStreamWaitEventOneThread, PassesABallBetweenTwoStreams, "FERRY_THREADS=1") {
  with_device([] {
    constexpr size_t kPasses = 500;
    Cells cells(kPasses);
    const Stream players[2];
    std::vector<Event> events;
    for (size_t i = 0; i <= kPasses; ++i)
      events.push_back(Event::with_flag());
    // Each stream gets its work queued from the last pass to the first.
    for (size_t i = kPasses; i-- > 0;) {
      ASSERT_OK(aclrtStreamWaitEvent(players[i % 2], events[i + 1]));
      ASSERT_OK(cells.queue_step(i, players[i % 2]));
      ASSERT_OK(aclrtRecordEvent(events[i], players[i % 2]));
    }
    ASSERT_OK(aclrtRecordEvent(events[kPasses], nullptr));
    EXPECT_OK(aclrtSynchronizeEvent(events[0]));
    EXPECT_TRUE(cells.is_carried());
  });
}

}  // namespace
}  // namespace conformance::aclrtStreamWaitEvent_chain_test
