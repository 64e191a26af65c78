// SPDX-License-Identifier: Apache-2.0
// Writing batches as lists of pairs.
#include "backends/cuda/transfer/pairs.h"

#include "backends/cuda/transfer/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ferry::cuda {
namespace {

constexpr uint64_t kDst = uint64_t{1} << 44;
constexpr uint64_t kSrc = uint64_t{1} << 40;
constexpr uint64_t kDistance = uint64_t{1} << 45;  // from addresses to their storage
constexpr uint64_t kGiB = uint64_t{1} << 30;

struct PairsTest : ::testing::TestWithParam<PairWriter::Reader> {
  void add(uint64_t dst, uint64_t src) {
    dsts.push_back(reinterpret_cast<void*>(kDst + dst));
    srcs.push_back(reinterpret_cast<void*>(kSrc + src));
  }
  const ferryx_columns& columns(uint64_t size) {
    sizes.assign(dsts.size(), size);
    made = {.dsts = dsts.data(),
            .srcs = srcs.data(),
            .sizes = sizes.data(),
            .count = dsts.size(),
            .common_size = size,
            .dst = memory(kDst, dst_bytes),
            .src = memory(kSrc, src_bytes),
            .direction = FERRYX_HOST_TO_DEVICE};
    std::fill(words.begin(), words.end(), 0);
    return made;
  }
  static ferryx_memory memory(uint64_t address, uint64_t size) {
    return {.address = reinterpret_cast<void*>(address),
            .size = size,
            .storage = reinterpret_cast<void*>(address + kDistance),
            .kind = FERRYX_MEMORY_DEVICE,
            .device = 0};
  }
  // Appends after those written before.
  PairWriter::Result write(PairWriter& writer, size_t count) {
    return writer.write(count, words.data() + writer.written(), GetParam());
  }
  // Computes an address as the kernel does.
  static uint64_t address(const PairSide& side, uint64_t half) {
    return side.base + (half << side.shift);
  }
  void expect_all(const ItemPairs& pairs) {
    for (size_t i = 0; i < dsts.size(); ++i) {
      EXPECT_EQ(address(pairs.dst, words[i] & UINT32_MAX),
                reinterpret_cast<uint64_t>(dsts[i]) + kDistance);
      EXPECT_EQ(address(pairs.src, words[i] >> 32),
                reinterpret_cast<uint64_t>(srcs[i]) + kDistance);
    }
  }

  uint64_t dst_bytes = kGiB;
  uint64_t src_bytes = kGiB;
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  std::vector<uint64_t> words = std::vector<uint64_t>(128);
  ferryx_columns made{};
};

INSTANTIATE_TEST_SUITE_P(Readers, PairsTest,
                         ::testing::Values(PairWriter::Reader::kGpu, PairWriter::Reader::kHost));

TEST_P(PairsTest, SaysWhereEveryItemLies) {
  add(0, 5);
  add(12345, 0);
  add(kGiB - 100, kGiB - 100);
  PairWriter writer(columns(100));
  ASSERT_TRUE(writer.is_possible());
  EXPECT_EQ(write(writer, 3), PairWriter::Result::kWritten);
  EXPECT_EQ(writer.list_at(words.data()).size, 100u);
  expect_all(writer.list_at(words.data()));
}

TEST_P(PairsTest, AppendsPartByPart) {
  for (uint64_t i = 0; i < 10; ++i)
    add(i * 3000, i * 7000);
  PairWriter writer(columns(1000));
  EXPECT_EQ(write(writer, 4), PairWriter::Result::kWritten);
  EXPECT_EQ(writer.written(), 4u);
  EXPECT_EQ(words[4], 0u) << "not yet";
  EXPECT_EQ(write(writer, 6), PairWriter::Result::kWritten);
  EXPECT_EQ(words[10], 0u);
  expect_all(writer.list_at(words.data()));
}

TEST_P(PairsTest, TakesLargerUnitsForLargeAllocations) {
  dst_bytes = 140 * kGiB;
  src_bytes = 4 * kGiB;
  add(139 * kGiB, 4 * kGiB - 4096);
  add(64, 1 << 20);
  PairWriter writer(columns(4096));
  ASSERT_TRUE(writer.is_possible());
  EXPECT_EQ(writer.list_at(words.data()).dst.shift, 6u);
  EXPECT_EQ(writer.list_at(words.data()).src.shift, 0u) << "4 GiB still count in bytes";
  EXPECT_EQ(write(writer, 2), PairWriter::Result::kWritten);
  expect_all(writer.list_at(words.data()));
}

TEST_P(PairsTest, RefusesWhatIsNotInWholeUnits) {
  dst_bytes = 140 * kGiB;
  add(0, 0);
  add(32, 9000);
  PairWriter writer(columns(4096));
  EXPECT_EQ(write(writer, 2), PairWriter::Result::kMisfit);
  EXPECT_EQ(writer.written(), 0u);
  EXPECT_FALSE(PairWriter(columns(100)).is_possible()) << "the size";
}

// Wherever the item is: in a vector register, or after the last full one.
TEST_P(PairsTest, RefusesAMisfitAtAnyPlace) {
  dst_bytes = 140 * kGiB;
  for (size_t misfit = 0; misfit < 37; ++misfit) {
    dsts.clear();
    srcs.clear();
    for (uint64_t i = 0; i < 37; ++i)
      add(i * 64 * 1000 + (i == misfit ? 1 : 0), i * 9000);
    PairWriter whole(columns(4096));
    EXPECT_EQ(write(whole, 37), PairWriter::Result::kMisfit) << misfit;
    if (misfit == 0) continue;
    PairWriter parts(columns(4096));
    EXPECT_EQ(write(parts, 1), PairWriter::Result::kWritten);
    EXPECT_EQ(write(parts, 36), PairWriter::Result::kMisfit) << misfit;
  }
}

TEST_P(PairsTest, NeedsOneSizeThatIsNotLarge) {
  add(0, 0);
  EXPECT_FALSE(PairWriter(columns(0)).is_possible());
  EXPECT_TRUE(PairWriter(columns(kLargeItem - 1)).is_possible());
  EXPECT_FALSE(PairWriter(columns(kLargeItem)).is_possible());
}

TEST_P(PairsTest, NoticesItemsThatContinueEachOther) {
  for (uint64_t i = 0; i < 64; ++i)
    add(i * 512, 1000 + i * 512);
  PairWriter runs(columns(512));
  EXPECT_EQ(write(runs, 64), PairWriter::Result::kRuns);
  EXPECT_EQ(runs.written(), 64u);
  PairWriter apart(columns(256));
  EXPECT_EQ(write(apart, 64), PairWriter::Result::kWritten);
}

// Of 40 items, at most five may continue the previous one, wherever they are.
TEST_P(PairsTest, CountsItemsThatContinueEachOther) {
  for (const size_t neighbours : {5u, 6u}) {
    for (size_t first = 1; first + neighbours <= 40; ++first) {
      dsts.clear();
      srcs.clear();
      uint64_t place = 0;
      for (size_t i = 0; i < 40; ++i) {
        const bool continues = i >= first && i < first + neighbours;
        place += continues ? 512 : 8192;
        add(place, kGiB / 2 + place);
      }
      PairWriter writer(columns(512));
      EXPECT_EQ(write(writer, 40),
                neighbours == 5 ? PairWriter::Result::kWritten : PairWriter::Result::kRuns)
          << first;
      expect_all(writer.list_at(words.data()));
    }
  }
}

TEST_P(PairsTest, LooksForRunsInTheFirstPartAlone) {
  add(9000, 0);
  for (uint64_t i = 0; i < 33; ++i)
    add(i * 512, 512 + i * 512);
  PairWriter writer(columns(512));
  EXPECT_EQ(write(writer, 1), PairWriter::Result::kWritten);
  EXPECT_EQ(write(writer, 33), PairWriter::Result::kWritten);
  expect_all(writer.list_at(words.data()));
  EXPECT_EQ(words[34], 0u);
}

TEST_P(PairsTest, WritesLaterPartsAtAnyPlace) {
  for (uint64_t i = 0; i < 40; ++i)
    add(i * 3001, (40 - i) * 7001);
  for (const size_t first : {1u, 2u, 3u, 4u}) {
    PairWriter writer(columns(1000));
    EXPECT_EQ(write(writer, first), PairWriter::Result::kWritten);
    EXPECT_EQ(write(writer, 40 - first), PairWriter::Result::kWritten);
    expect_all(writer.list_at(words.data()));
    EXPECT_EQ(words[40], 0u);
  }
}

TEST_P(PairsTest, CutsColumns) {
  for (uint64_t i = 0; i < 5; ++i)
    add(i * 1000, i * 1000);
  const ferryx_columns part = part_of(columns(10), 2, 4);
  EXPECT_EQ(part.count, 2u);
  EXPECT_EQ(part.dsts[0], dsts[2]);
  EXPECT_EQ(part.srcs[1], srcs[3]);
  EXPECT_EQ(part.sizes, sizes.data() + 2);
  EXPECT_EQ(part.common_size, 10u);
}

}  // namespace
}  // namespace ferry::cuda
