// SPDX-License-Identifier: Apache-2.0
// Steps that are told ahead: at once, or when the stops before them are passed; always in order.
#include "layers/check/front/lookahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr auto kOver = Lookahead::Outcome::kOver;
constexpr auto kDropped = Lookahead::Outcome::kDropped;

// What became of steps, in order: "+1" for a step that was reached, "-1" for one that was dropped.
class StepRecord {
 public:
  std::unique_ptr<Step> step(int number) { return std::make_unique<Noted>(*this, number); }
  std::vector<std::string> take() { return std::exchange(lines_, {}); }
  int alive() const { return alive_; }

 private:
  class Noted : public Step {
   public:
    Noted(StepRecord& record, int number) : record_(record), number_(number) { ++record_.alive_; }
    ~Noted() override { --record_.alive_; }
    Noted(const Noted&) = delete;
    Noted& operator=(const Noted&) = delete;
    void reached() override { record_.lines_.push_back("+" + std::to_string(number_)); }
    void dropped() override { record_.lines_.push_back("-" + std::to_string(number_)); }

   private:
    StepRecord& record_;
    const int number_;
  };

  std::vector<std::string> lines_;  // Lookahead's lock guards them
  std::atomic<int> alive_{0};
};

using Lines = std::vector<std::string>;

TEST(Lookahead, ReachesStepsAtOnceWhileThereIsNoStop) {
  StepRecord record;
  Lookahead ahead;
  ahead.tell(record.step(1));
  EXPECT_EQ(record.take(), (Lines{"+1"}));
  ahead.tell(record.step(2));
  EXPECT_EQ(record.take(), (Lines{"+2"}));
  EXPECT_EQ(record.alive(), 0);
}

TEST(Lookahead, KeepsStepsBehindAStopInOrder) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t stop = ahead.add_stop();
  for (int i = 1; i <= 3; ++i)
    ahead.tell(record.step(i));
  EXPECT_EQ(record.take(), Lines{});
  ahead.pass(stop, kOver);
  EXPECT_EQ(record.take(), (Lines{"+1", "+2", "+3"}));
  ahead.tell(record.step(4));
  EXPECT_EQ(record.take(), (Lines{"+4"}));
  EXPECT_EQ(record.alive(), 0);
}

TEST(Lookahead, GoesOnToTheNextStop) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t first = ahead.add_stop();
  ahead.tell(record.step(1));
  const uint64_t second = ahead.add_stop();
  EXPECT_NE(first, second);
  ahead.tell(record.step(2));
  ahead.pass(first, kOver);
  EXPECT_EQ(record.take(), (Lines{"+1"}));
  ahead.tell(record.step(3));
  EXPECT_EQ(record.take(), Lines{});
  ahead.pass(second, kOver);
  EXPECT_EQ(record.take(), (Lines{"+2", "+3"}));
}

TEST(Lookahead, AStopPassedEarlyWaitsForThoseBeforeIt) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t first = ahead.add_stop();
  ahead.tell(record.step(1));
  const uint64_t second = ahead.add_stop();
  ahead.tell(record.step(2));
  ahead.pass(second, kOver);
  EXPECT_EQ(record.take(), Lines{});
  ahead.pass(first, kOver);
  EXPECT_EQ(record.take(), (Lines{"+1", "+2"}));
}

TEST(Lookahead, DropsEverythingBehindADroppedStop) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t first = ahead.add_stop();
  ahead.tell(record.step(1));
  const uint64_t second = ahead.add_stop();
  ahead.tell(record.step(2));
  ahead.pass(first, kDropped);
  EXPECT_EQ(record.take(), (Lines{"-1", "-2"}));
  ahead.pass(second, kDropped);
  EXPECT_EQ(record.take(), Lines{});
  ahead.tell(record.step(3));
  EXPECT_EQ(record.take(), (Lines{"+3"}));
  EXPECT_EQ(record.alive(), 0);
}

TEST(Lookahead, LeavesWhatIsBeforeADroppedStop) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t first = ahead.add_stop();
  ahead.tell(record.step(1));
  const uint64_t second = ahead.add_stop();
  ahead.tell(record.step(2));
  ahead.pass(second, kDropped);
  EXPECT_EQ(record.take(), (Lines{"-2"}));
  ahead.pass(first, kOver);
  EXPECT_EQ(record.take(), (Lines{"+1"}));
}

// The thread that aborts may report a dropped stop only after the queue has accepted new work.
TEST(Lookahead, KeepsWhatWasToldAfterTheAbortThatDroppedTheStop) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t first = ahead.add_stop();
  ahead.tell(record.step(1));
  ahead.note_abort();
  ahead.tell(record.step(2));
  const uint64_t second = ahead.add_stop();
  ahead.tell(record.step(3));
  ahead.pass(first, kDropped);
  EXPECT_EQ(record.take(), (Lines{"-1", "+2"}));
  ahead.pass(second, kOver);
  EXPECT_EQ(record.take(), (Lines{"+3"}));
}

TEST(Lookahead, PassingAStopTwiceChangesNothing) {
  StepRecord record;
  Lookahead ahead;
  const uint64_t stop = ahead.add_stop();
  ahead.pass(stop, kOver);
  ahead.add_stop();
  ahead.tell(record.step(1));
  ahead.pass(stop, kDropped);
  EXPECT_EQ(record.take(), Lines{});
}

TEST(Lookahead, KeptStepsGoWithIt) {
  StepRecord record;
  {
    Lookahead ahead;
    ahead.add_stop();
    ahead.tell(record.step(1));
    EXPECT_EQ(record.alive(), 1);
  }
  EXPECT_EQ(record.take(), Lines{});
  EXPECT_EQ(record.alive(), 0);
}

// One thread submits, as under the lock of a queue; others pass the stops, in any order.
TEST(Lookahead, KeepsTheOrderWhileStopsArePassedElsewhere) {
  constexpr int kSteps = 20000;
  constexpr int kStepsPerStop = 3;
  StepRecord record;
  Lookahead ahead;
  std::mutex mutex;  // guards stops
  std::deque<uint64_t> stops;
  std::atomic<bool> is_over{false};
  const auto pass_stops = [&] {
    for (bool is_last = false; !is_last;) {
      is_last = is_over;
      for (;;) {
        uint64_t stop = 0;
        {
          const std::lock_guard lock(mutex);
          if (stops.empty()) break;
          stop = stops.front();
          stops.pop_front();
        }
        ahead.pass(stop, kOver);
      }
    }
  };
  std::vector<std::thread> passers;
  for (int i = 0; i < 2; ++i)
    passers.emplace_back(pass_stops);
  for (int i = 0; i < kSteps; ++i) {
    if (i % kStepsPerStop == 0) {
      const uint64_t stop = ahead.add_stop();
      const std::lock_guard lock(mutex);
      stops.push_back(stop);
    }
    ahead.tell(record.step(i));
  }
  is_over = true;
  for (std::thread& passer : passers)
    passer.join();
  const Lines lines = record.take();
  ASSERT_EQ(lines.size(), static_cast<size_t>(kSteps));
  for (size_t i = 0; i < lines.size(); ++i)
    ASSERT_EQ(lines[i], "+" + std::to_string(i));
  EXPECT_EQ(record.alive(), 0);
}

}  // namespace
}  // namespace ferry::layers::check
