// SPDX-License-Identifier: Apache-2.0
// Which candidates become advice: what the prediction says about their gain.
#include "advice/advice.h"
#include "program.h"
#include "programs.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

using replay::Profile;
using trace::Direction;
using trace::Memory;

// A copy takes 500 ns and one per 8 bytes, to submit it 800; an item of a batch takes 50 ns.
replay::Lane lane_of(Direction direction, Memory memory) {
  replay::Lane lane;
  lane.direction = direction;
  lane.memory = memory;
  lane.submit_ns = 800;
  lane.batch_submit_ns = 1000;
  lane.item_submit_ns = 10;
  lane.batch_ns = 500;
  replay::Curve& curve = lane.curves.emplace_back();
  curve.footprint = 1 << 20;
  for (uint64_t bytes = 256; bytes <= (16 << 20); bytes *= 4) {
    const double moved = static_cast<double>(bytes) / 8;
    curve.points.push_back(
        {bytes, std::max(500 + moved, 800.0), 800 + 500 + moved + 2000, 1500 + moved, 50 + moved});
  }
  return lane;
}

Profile device() {
  Profile profile;
  profile.synchronize_ns = 2000;
  profile.record_ns = profile.wait_ns = 300;
  profile.overlaps = {{4096, 1.2, 1.9}};
  for (const Direction direction : {Direction::kHostToDevice, Direction::kDeviceToHost}) {
    profile.lanes.push_back(lane_of(direction, Memory::kPinned));
    profile.lanes.push_back(lane_of(direction, Memory::kPageable));
  }
  return profile;
}

std::vector<Advice> advice_of(const trace::Trace& trace, const Profile& profile = device(),
                              const Threshold& threshold = {}) {
  return advise(
      trace, [&profile] { return &profile; }, threshold);
}

std::vector<std::string> rules_of(const std::vector<Advice>& list) {
  std::vector<std::string> rules;
  for (const Advice& advice : list)
    rules.push_back(advice.rule);
  return rules;
}

using Rules = std::vector<std::string>;

Block scattered_block(uint64_t number, uint64_t size = 4096) {
  return {.host = kHost + number * 2 * size, .device = kDevice + number * 3 * size, .size = size};
}

TEST(Advise, BatchesAreWorthTheirPredictedGain) {
  Program program;
  for (uint64_t i = 0; i < 1000; ++i)
    program.copy(3, scattered_block(i, 256));
  program.wait(3);
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"small-copies"});
  // 1000 copies of 800 ns, against one batch of 1000 items of 10 + 50 + 32 ns.
  EXPECT_NEAR(static_cast<double>(list[0].now), 1000 * 820, 20'000);
  EXPECT_NEAR(static_cast<double>(list[0].predicted), 1000 * (20 + 10 + 82), 20'000);
}

TEST(Advise, ADeviceWithoutBatchesGetsNone) {
  Program program;
  for (uint64_t i = 0; i < 1000; ++i)
    program.copy(3, scattered_block(i, 256));
  Profile profile = device();
  profile.has_batch = false;
  EXPECT_EQ(rules_of(advice_of(program.trace(), profile)), Rules{});
}

TEST(Advise, ThePausesOfTheProgramHideCopies) {
  Program program;
  for (uint64_t i = 0; i < 1000; ++i) {
    program.copy(3, scattered_block(i, 256));
    program.compute(90'000);
  }
  EXPECT_EQ(rules_of(advice_of(program.trace())), Rules{});
}

TEST(Advise, LargestGainFirst) {
  Program program;
  for (uint64_t i = 0; i < 200; ++i)
    program.at(0x10).copy(3, scattered_block(i, 256));
  program.wait(3);
  for (uint64_t i = 0; i < 1000; ++i) {
    program.at(0x20).copy(3, {.direction = Direction::kDeviceToHost,
                              .host = kHost + i * 4096,
                              .device = kDevice + i * 4096});
  }
  program.wait(3);
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), (Rules{"neighbours", "small-copies"}));
  EXPECT_GT(list[0].gain(), list[1].gain());
}

TEST(Advise, OneWaitInsteadOfMany) {
  Program program;
  for (uint64_t i = 0; i < 100; ++i) {
    program.copy(3, scattered_block(i, 16384));
    program.wait(3);
  }
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"wait-per-copy"});
  // The latency of the device, and the time to submit and to wait.
  EXPECT_NEAR(static_cast<double>(list[0].gain()), 99 * (800 + 2000), 20'000);
}

TEST(Advise, PinnedMemoryLetsTheHostGoOn) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    Block block = scattered_block(i, 1 << 20);
    block.memory = Memory::kPageable;
    program.blocking_copy(3, block);
    program.compute(130'000);
  }
  program.wait(3);
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"pageable-async"});
  EXPECT_NEAR(static_cast<double>(list[0].gain()), 20 * 128'000, 200'000);
}

TEST(Advise, PinnedMemoryGainsNothingWhereTheHostWaitsAnyway) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    Block block = scattered_block(i, 1 << 20);
    block.memory = Memory::kPageable;
    program.blocking_copy(3, block);
  }
  program.wait(3);
  EXPECT_EQ(rules_of(advice_of(program.trace())), Rules{});
}

TEST(Advise, StreamsMayOverlap) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    Block out = scattered_block(2 * i + 1, 1 << 20);
    out.direction = Direction::kDeviceToHost;
    program.at(0x10).copy(3, scattered_block(2 * i, 1 << 20));
    program.at(0x20).wait(3);
    program.at(0x30).copy(4, out);
    program.at(0x40).wait(4);
  }
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"serial-streams"});
  // Both ways together are 1.9 times as fast.
  EXPECT_NEAR(static_cast<double>(list[0].predicted), static_cast<double>(list[0].now) / 1.9,
              0.05 * static_cast<double>(list[0].now));
}

TEST(Advise, RepeatedBytesCostTheirCopies) {
  Program program;
  program.trace().has_contents = true;
  for (uint64_t i = 0; i < 20; ++i) {
    program.at(0x10).copy(3, {.size = 1 << 20, .hash = 9});
    program.at(0x20).copy(3, {.host = kHost + (8 << 20),
                              .device = kDevice + (8 << 20),
                              .size = 1 << 20,
                              .hash = 100 + i});
    program.at(0x30).wait(3);
  }
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"repeated-bytes"});
  EXPECT_NEAR(static_cast<double>(list[0].gain()), 19 * 131'572, 20'000);
}

TEST(Advise, MemoryInLoopsCostsItsCalls) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    program.at(0x10).memory("aclrtMalloc", "alloc", kDevice, 4096);
    program.at(0x20).copy(3, {});
    program.at(0x30).wait(3);
    program.at(0x40).memory("aclrtFree", "free", kDevice, 4096);
  }
  const std::vector<Advice> list = advice_of(program.trace());
  ASSERT_EQ(rules_of(list), Rules{"memory-in-loop"});
  EXPECT_NEAR(static_cast<double>(list[0].gain()), 19 * 10'000, 1000);
}

TEST(Advise, RefusedBatchesGainWhatBatchesWould) {
  Program program;
  program.trace().soc = "Ascend310P3";
  for (uint64_t round = 0; round < 10; ++round) {
    program.refused_batch();
    for (uint64_t i = 0; i < 100; ++i)
      program.copy(3, scattered_block(100 * round + i, 256));
    program.wait(3);
  }
  EXPECT_EQ(rules_of(advice_of(program.trace())), Rules{"refused-batches"});
}

TEST(Advise, CaptureSavesSubmissions) {
  Program program;
  for (int round = 0; round < 50; ++round) {
    for (uint64_t i = 0; i < 10; ++i) {
      Block block = scattered_block(i, 256);
      if (i % 2 == 1) block.direction = Direction::kDeviceToHost;
      program.at(0x10 + i).copy(3, block);
    }
    program.at(0x99).wait(3);
  }
  EXPECT_EQ(rules_of(advice_of(program.trace())), Rules{"capture"});
}

TEST(Advise, IsSilentAboutGoodPrograms) {
  for (const GoodProgram& program : good_programs())
    EXPECT_EQ(rules_of(advice_of(program.trace)), Rules{}) << program.name;
}

TEST(Advise, IsSilentBelowTheThreshold) {
  Program program;
  for (uint64_t i = 0; i < 1000; ++i)
    program.copy(3, scattered_block(i, 256));
  const Threshold high{.smallest_gain = 1'000'000, .smallest_share = 0};
  EXPECT_EQ(rules_of(advice_of(program.trace(), device(), high)), Rules{});
  const Threshold most{.smallest_gain = 0, .smallest_share = 0.95};
  EXPECT_EQ(rules_of(advice_of(program.trace(), device(), most)), Rules{});
}

TEST(Advise, MeasuresNoProfileForNothing) {
  for (const GoodProgram& program : good_programs()) {
    if (program.name == "pipeline") continue;  // only a prediction can tell
    EXPECT_EQ(rules_of(advise(program.trace,
                              []() -> const Profile* {
                                ADD_FAILURE() << "asked for a profile";
                                return nullptr;
                              })),
              Rules{});
  }
  Program program;
  for (uint64_t i = 0; i < 1000; ++i)
    program.copy(3, scattered_block(i, 256));
  EXPECT_EQ(rules_of(advise(program.trace(), [] { return nullptr; })), Rules{});
}

}  // namespace
}  // namespace ferry::tools::advice
