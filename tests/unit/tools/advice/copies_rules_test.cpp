// SPDX-License-Identifier: Apache-2.0
// Rules about how copies are cut.
#include "advice/candidate.h"
#include "program.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

using trace::Direction;

// Blocks that do not touch each other.
Block block(uint64_t number, uint64_t size = 4096) {
  return {.host = kHost + number * 2 * size, .device = kDevice + number * 3 * size, .size = size};
}

void copy_rounds(Program& program, uint64_t rounds, uint64_t copies) {
  for (uint64_t round = 0; round < rounds; ++round) {
    for (uint64_t i = 0; i < copies; ++i)
      program.at(0x4010).copy(3, block(i));
    program.at(0x4020).wait(3);
  }
}

std::vector<Candidate> small_copies_of(const Program& program) {
  return find_small_copies(Survey(const_cast<Program&>(program).trace()));
}

TEST(SmallCopies, AreFoundBetweenWaits) {
  Program program;
  copy_rounds(program, 5, 100);
  const std::vector<Candidate> found = small_copies_of(program);
  ASSERT_EQ(found.size(), 1U);
  const Advice& advice = found[0].advice;
  EXPECT_EQ(advice.rule, "small-copies");
  EXPECT_EQ(advice.text,
            "500 copies H2D from pinned memory, 4.0 KiB each, were submitted one by one. They came "
            "in 5 groups of 100 on average, with nothing between them that needs their order.");
  EXPECT_EQ(advice.evidence.work_count, 500U);
  EXPECT_EQ(advice.evidence.works.front(), 1U);
  EXPECT_EQ(advice.evidence.works.size(), 8U);
  ASSERT_EQ(advice.places.size(), 1U);
  EXPECT_EQ(advice.places[0].function, "aclrtMemcpyAsync");
  EXPECT_EQ(advice.places[0].site, 0x4010U);
  EXPECT_EQ(advice.places[0].calls, 500U);
  EXPECT_EQ(found[0].change.batched.size(), 500U);
}

TEST(SmallCopies, OfTwoCallSitesInOneLoopAreOneAdvice) {
  Program program;
  for (uint64_t i = 0; i < 50; ++i) {
    program.at(0x10).copy(3, block(2 * i));
    program.at(0x20).copy(3, block(2 * i + 1));
  }
  const std::vector<Candidate> found = small_copies_of(program);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.places.size(), 2U);
}

TEST(SmallCopies, InBothDirectionsAreSaidToBe) {
  Program program;
  for (uint64_t i = 0; i < 40; ++i) {
    Block block_of_i = block(i);
    if (i >= 20) block_of_i.direction = Direction::kDeviceToHost;
    program.at(0x10).copy(3, block_of_i);
  }
  const std::vector<Candidate> found = small_copies_of(program);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.text.substr(0, 37), "40 copies in several directions, 4.0 ");
}

TEST(SmallCopies, OfTwoLoopsAreTwo) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i)
    program.at(0x10).copy(3, block(i));
  program.wait(3);
  for (uint64_t i = 0; i < 50; ++i)
    program.at(0x20).copy(4, block(i));
  const std::vector<Candidate> found = small_copies_of(program);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].advice.evidence.work_count, 50U);
  EXPECT_EQ(found[1].advice.evidence.work_count, 20U);
}

TEST(SmallCopies, OfTwoStreamsInTurnsAreTwoGroups) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    program.at(0x10).copy(3, block(i));
    program.at(0x10).copy(4, block(100 + i));
  }
  const std::vector<Candidate> found = small_copies_of(program);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].advice.text.find("2 groups of 20"), std::string::npos);
}

TEST(SmallCopies, DoNotPassOtherWorkOfTheStream) {
  Program program;
  for (uint64_t i = 0; i < 20; ++i) {
    program.copy(3, block(i));
    program.kernel(3, 1000);
  }
  EXPECT_TRUE(small_copies_of(program).empty());
}

TEST(SmallCopies, LargeOrPageableOrBlockingOnesAreNone) {
  Program large;
  Program pageable;
  for (uint64_t i = 0; i < 20; ++i) {
    large.copy(3, block(i, 4 << 20));
    pageable.blocking_copy(3, block(i));
  }
  EXPECT_TRUE(small_copies_of(large).empty());
  EXPECT_TRUE(small_copies_of(pageable).empty());
}

TEST(SmallCopies, AreNoBatchWhereTheProductHasNone) {
  Program program;
  copy_rounds(program, 5, 100);
  program.trace().soc = "Ascend310P3";
  EXPECT_TRUE(small_copies_of(program).empty());
}

TEST(SmallCopies, OfAModelAreNone) {
  Program program;
  program.run_model(3, {block(0), block(1), block(2), block(3), block(4)});
  EXPECT_TRUE(small_copies_of(program).empty());
}

std::vector<Candidate> neighbours_of(Program& program) {
  return find_neighbours(Survey(program.trace()));
}

TEST(Neighbours, AreFoundAndAreNoSmallCopies) {
  Program program;
  for (uint64_t i = 0; i < 64; ++i) {
    // Sixteen pages in a row, then a gap on the device.
    program.copy(3, {.direction = Direction::kDeviceToHost,
                     .host = kHost + i * 4096,
                     .device = kDevice + i * 4096 + i / 16 * 8192});
  }
  EXPECT_TRUE(small_copies_of(program).empty());
  const std::vector<Candidate> found = neighbours_of(program);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.text,
            "Of 64 copies D2H to pinned memory, 4.0 KiB each, 60 begin where the copy before ends, "
            "in source and destination. They could be 4 larger copies.");
  ASSERT_EQ(found[0].change.merged.size(), 4U);
  EXPECT_EQ(found[0].change.merged[1].front(), 17U);
  EXPECT_EQ(found[0].change.merged[1].size(), 16U);
}

TEST(Neighbours, OnOneSideOnlyAreNone) {
  Program program;
  for (uint64_t i = 0; i < 64; ++i)
    program.copy(3, {.host = kHost + i * 4096, .device = kDevice + i * 8192});
  EXPECT_TRUE(neighbours_of(program).empty());
}

TEST(Neighbours, InsideBatchesAreFound) {
  Program program;
  std::vector<Block> blocks;
  for (uint64_t i = 0; i < 100; ++i)
    blocks.push_back({.host = kHost + i * 512, .device = kDevice + i * 512, .size = 512});
  program.batch(3, blocks);
  program.batch(3, blocks);
  const std::vector<Candidate> found = neighbours_of(program);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.text,
            "Of 200 items in 2 batches H2D from pinned memory, 198 begin where the item before "
            "ends, in source and destination. Each item costs time of its own.");
  EXPECT_EQ(found[0].change.fewer_items.at(2), 99U);
}

TEST(Neighbours, FewInABatchAreNone) {
  Program program;
  std::vector<Block> blocks;
  for (uint64_t i = 0; i < 100; ++i)
    blocks.push_back(block(i));
  blocks.push_back({.host = blocks.back().host + 4096, .device = blocks.back().device + 4096});
  program.batch(3, blocks);
  EXPECT_TRUE(neighbours_of(program).empty());
}

}  // namespace
}  // namespace ferry::tools::advice
