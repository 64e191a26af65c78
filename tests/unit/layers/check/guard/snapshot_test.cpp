// SPDX-License-Identifier: Apache-2.0
// A snapshot detects every changed byte and its position.
#include "layers/check/guard/snapshot.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry::layers::check {
namespace {

constexpr size_t kPiece = 4096;
constexpr size_t kExact = 256;

class SnapshotOf : public ::testing::TestWithParam<size_t> {};

TEST_P(SnapshotOf, SeesNothingWhereNothingChanged) {
  std::vector<unsigned char> memory(GetParam(), 7);
  const Snapshot snapshot(memory.data(), memory.size());
  EXPECT_EQ(snapshot.first_change(), std::nullopt);
}

TEST_P(SnapshotOf, SeesTheFirstByteThatChanged) {
  std::vector<unsigned char> memory(GetParam(), 7);
  const size_t step = memory.size() <= kExact ? 1 : 61;
  for (size_t at = 0; at < memory.size(); at += step) {
    const Snapshot snapshot(memory.data(), memory.size());
    memory[at] ^= 1;
    memory.back() ^= 2;
    const size_t expected = memory.size() <= kExact ? at : at / kPiece * kPiece;
    ASSERT_EQ(snapshot.first_change(), expected) << at;
  }
}

TEST_P(SnapshotOf, CanBeTakenAgain) {
  std::vector<unsigned char> memory(GetParam(), 7);
  Snapshot snapshot(memory.data(), memory.size());
  memory.back() = 8;
  ASSERT_TRUE(snapshot.first_change());
  snapshot.renew();
  EXPECT_EQ(snapshot.first_change(), std::nullopt);
  memory.back() = 7;
  EXPECT_TRUE(snapshot.first_change());
}

INSTANTIATE_TEST_SUITE_P(Sizes, SnapshotOf,
                         ::testing::Values(1, 64, kExact, kExact + 1, kPiece - 1, kPiece,
                                           kPiece + 1, 3 * kPiece, 3 * kPiece + 5));

TEST(Snapshot, OfNothingNeverChanges) {
  Snapshot snapshot(nullptr, 0);
  snapshot.renew();
  EXPECT_EQ(snapshot.first_change(), std::nullopt);
}

TEST(Snapshot, SamplesLargeMemoryAtItsStartItsEndAndBetween) {
  std::vector<unsigned char> memory(size_t{1} << 20, 7);
  const Snapshot snapshot(memory.data(), memory.size(), Snapshot::Detail::kSampled);
  EXPECT_EQ(snapshot.first_change(), std::nullopt);
  for (const size_t place : {size_t{0}, size_t{512} << 10, memory.size() - 1}) {
    memory[place] = 8;
    EXPECT_TRUE(snapshot.first_change().has_value()) << place;
    memory[place] = 7;
  }
  memory[100] = 8;
  EXPECT_EQ(snapshot.first_change(), std::nullopt) << "between two samples";
}

TEST(Snapshot, SamplesNothingOfSmallMemory) {
  std::vector<unsigned char> memory(size_t{64} << 10, 7);
  const Snapshot snapshot(memory.data(), memory.size(), Snapshot::Detail::kSampled);
  memory[100] = 8;
  EXPECT_EQ(snapshot.first_change(), 0u) << "the piece it lies in";
}

}  // namespace
}  // namespace ferry::layers::check
