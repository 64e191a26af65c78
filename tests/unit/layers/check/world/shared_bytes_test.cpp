// SPDX-License-Identifier: Apache-2.0
// Shared bytes, compared with checking every pair.
#include "layers/check/world/shared_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace ferry::layers::check {
namespace {

Piece piece(AccessKind kind, size_t item, uintptr_t begin, uintptr_t end) {
  return {.range = {begin, end}, .kind = kind, .item = item, .source = 0};
}

bool has_common_writes(const std::vector<Piece>& pieces) {
  for (const Piece& one : pieces) {
    for (const Piece& other : pieces) {
      if (one.item < other.item && one.kind == AccessKind::kWrite &&
          other.kind == AccessKind::kWrite && one.range.overlaps(other.range)) {
        return true;
      }
    }
  }
  return false;
}

bool has_read_of_written(const std::vector<Piece>& pieces) {
  for (const Piece& one : pieces) {
    for (const Piece& other : pieces) {
      if (one.item != other.item && one.kind == AccessKind::kRead &&
          other.kind == AccessKind::kWrite && one.range.overlaps(other.range)) {
        return true;
      }
    }
  }
  return false;
}

TEST(SharedBytes, NeighboursShareNothing) {
  const std::vector<Piece> pieces = {
      piece(AccessKind::kWrite, 0, 100, 200), piece(AccessKind::kRead, 0, 300, 400),
      piece(AccessKind::kWrite, 1, 200, 300), piece(AccessKind::kRead, 1, 400, 500)};
  EXPECT_FALSE(find_common_writes(pieces).has_value());
  EXPECT_FALSE(find_read_of_written(pieces).has_value());
}

TEST(SharedBytes, AnItemMayReadWhatItWritesItself) {
  const std::vector<Piece> pieces = {piece(AccessKind::kWrite, 0, 100, 200),
                                     piece(AccessKind::kRead, 0, 150, 250)};
  EXPECT_FALSE(find_read_of_written(pieces).has_value());
}

TEST(SharedBytes, AgreesWithEveryPair) {
  std::mt19937 random(7);
  size_t found_writes = 0;
  size_t found_reads = 0;
  for (int round = 0; round < 20000; ++round) {
    const uint64_t space = 40 + random() % 400;
    const size_t items = 2 + random() % 8;
    std::vector<Piece> pieces;
    for (size_t item = 0; item < items; ++item) {
      for (const AccessKind kind : {AccessKind::kWrite, AccessKind::kRead}) {
        const uintptr_t begin = 1000 + random() % space;
        pieces.push_back(piece(kind, item, begin, begin + 1 + random() % 20));
      }
    }
    const auto writes = find_common_writes(pieces);
    const auto reads = find_read_of_written(pieces);
    ASSERT_EQ(writes.has_value(), has_common_writes(pieces)) << "round " << round;
    ASSERT_EQ(reads.has_value(), has_read_of_written(pieces)) << "round " << round;
    if (writes.has_value()) {
      ++found_writes;
      EXPECT_NE(writes->first.item, writes->second.item);
      EXPECT_LT(writes->where.begin, writes->where.end);
    }
    if (reads.has_value()) {
      ++found_reads;
      EXPECT_EQ(reads->first.kind, AccessKind::kRead);
      EXPECT_EQ(reads->second.kind, AccessKind::kWrite);
      EXPECT_NE(reads->first.item, reads->second.item);
      EXPECT_LT(reads->where.begin, reads->where.end);
    }
  }
  EXPECT_GT(found_writes, 1000U);
  EXPECT_GT(found_reads, 1000U);
}

ArgumentRange rows(uintptr_t begin, uint64_t width, uint64_t pitch, uint64_t height) {
  ArgumentRange range;
  range.range = {begin, begin + (height - 1) * pitch + width};
  range.width = width;
  range.pitch = pitch;
  range.height = height;
  return range;
}

bool have_common_rows(const ArgumentRange& one, const ArgumentRange& other) {
  for (uint64_t i = 0; i < one.height; ++i) {
    const uintptr_t mine = one.range.begin + i * one.pitch;
    for (uint64_t j = 0; j < other.height; ++j) {
      const uintptr_t theirs = other.range.begin + j * other.pitch;
      if (Range{mine, mine + one.width}.overlaps({theirs, theirs + other.width})) return true;
    }
  }
  return false;
}

TEST(SharedBytes, RowsMayInterleave) {
  EXPECT_FALSE(find_common_rows(rows(1000, 8, 16, 10), rows(1008, 8, 16, 10)).has_value());
  EXPECT_TRUE(find_common_rows(rows(1000, 9, 16, 10), rows(1008, 9, 16, 10)).has_value());
}

TEST(SharedBytes, RowsAgreeWithEveryPair) {
  std::mt19937 random(11);
  size_t found = 0;
  for (int round = 0; round < 20000; ++round) {
    const uint64_t width = 1 + random() % 8;
    const uint64_t height = 1 + random() % 6;
    const auto dst = rows(1000 + random() % 60, width, width + random() % 12, height);
    const auto src = rows(1000 + random() % 60, width, width + random() % 12, height);
    const auto where = find_common_rows(dst, src);
    ASSERT_EQ(where.has_value(), have_common_rows(dst, src)) << "round " << round;
    found += where.has_value() ? 1 : 0;
  }
  EXPECT_GT(found, 1000U);
  EXPECT_LT(found, 19000U);
}

TEST(SharedBytes, TheDevicesViewIsTheHostsMemory) {
  MemoryBook memory;
  memory.add({.address = reinterpret_cast<void*>(0x90000),
              .size = 4096,
              .storage = reinterpret_cast<void*>(0x10000),
              .kind = FERRYX_MEMORY_MAPPED,
              .device = 0},
             kNoSite);
  std::vector<ArgumentRange> ranges(2);
  ranges[0].range = {0x90010, 0x90020};
  ranges[1].range = {0x10010, 0x10020};
  const std::vector<Piece> pieces = pieces_of(ranges, memory);
  EXPECT_EQ(pieces[0].range.begin, 0x10010U);
  EXPECT_EQ(pieces[0].range.end, 0x10020U);
  EXPECT_EQ(pieces[1].range.begin, 0x10010U);
  EXPECT_EQ(pieces[1].source, 1U);
}

}  // namespace
}  // namespace ferry::layers::check
