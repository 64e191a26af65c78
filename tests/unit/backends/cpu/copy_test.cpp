// SPDX-License-Identifier: Apache-2.0
// Cutting work into pieces: together they move every byte exactly once.
#include "backends/cpu/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ferry::cpu {
namespace {

void run_in_pieces(const Task& task, Cut cut, size_t& pieces) {
  Cursor cursor;
  Piece piece;
  std::vector<Piece> all;
  while (cut_piece(task, cursor, cut, piece))
    all.push_back(piece);
  EXPECT_TRUE(is_at_end(task, cursor));
  // In any order: threads take pieces as they come.
  std::shuffle(all.begin(), all.end(), std::mt19937(5));
  for (const Piece& one : all)
    run_piece(task, one);
  pieces = all.size();
}

std::vector<char> random_bytes(size_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::vector<char> bytes(size);
  for (char& byte : bytes)
    byte = static_cast<char>(random());
  return bytes;
}

class CutCopies : public ::testing::TestWithParam<std::vector<size_t>> {};

TEST_P(CutCopies, MovesEveryByteOnce) {
  for (const auto& [cut, bypasses_cache] :
       {std::pair(Cut::kByCost, false), std::pair(Cut::kByCost, true),
        std::pair(Cut::kByItem, false)}) {
    size_t total = 0;
    for (const size_t size : GetParam())
      total += size;
    const std::vector<char> source = random_bytes(total);
    std::vector<char> target(total, 0);
    std::vector<ferryx_copy> copies;
    for (size_t offset = 0; const size_t size : GetParam()) {
      copies.push_back({.dst = nullptr,
                        .src = nullptr,
                        .size = size,
                        .dst_storage = target.data() + offset,
                        .src_storage = source.data() + offset});
      offset += size;
    }
    // Half of them in reverse, so that neighbours do not continue each other.
    std::reverse(copies.begin(), copies.begin() + static_cast<ptrdiff_t>(copies.size() / 2));
    Task task;
    task.copies.assign(copies);
    task.bypasses_cache = bypasses_cache;
    size_t pieces = 0;
    run_in_pieces(task, cut, pieces);
    EXPECT_EQ(source, target);
    EXPECT_GE(pieces, cut == Cut::kByItem ? GetParam().size() : 1);
    EXPECT_GE(cost_of(task), total);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, CutCopies,
    ::testing::Values(std::vector<size_t>{1}, std::vector<size_t>{kSmallestPiece},
                      std::vector<size_t>{kSmallestPiece + 1},
                      std::vector<size_t>{5 * kSmallestPiece - 3}, std::vector<size_t>(1000, 512),
                      std::vector<size_t>{3, 2 * kSmallestPiece, 1, kSmallestPiece}));

TEST(CutCopies, MovesOverlappingRangesInOneGo) {
  std::vector<char> bytes = random_bytes(4 * kSmallestPiece);
  std::vector<char> expected = bytes;
  std::copy_backward(bytes.begin(), bytes.end() - 1000, expected.end());
  const ferryx_copy copy{.dst = nullptr,
                         .src = nullptr,
                         .size = bytes.size() - 1000,
                         .dst_storage = bytes.data() + 1000,
                         .src_storage = bytes.data()};
  Task task;
  task.copies.assign({&copy, 1});
  task.bypasses_cache = true;
  size_t pieces = 0;
  run_in_pieces(task, Cut::kByCost, pieces);
  EXPECT_EQ(pieces, 1u);
  EXPECT_EQ(bytes, expected);
}

TEST(CutRows, MovesEveryRow) {
  constexpr uint64_t kWidth = 3000;
  constexpr uint64_t kHeight = 1500;
  const std::vector<char> source = random_bytes(kHeight * 3500);
  std::vector<char> target(kHeight * 3100, 0);
  Task task;
  task.kind = FERRYX_ROWS;
  task.as.rows = {.corner = {.dst = nullptr,
                             .src = nullptr,
                             .size = kWidth,
                             .dst_storage = target.data(),
                             .src_storage = source.data()},
                  .dst_pitch = 3100,
                  .src_pitch = 3500,
                  .height = kHeight,
                  .direction = FERRYX_HOST_TO_DEVICE};
  size_t pieces = 0;
  run_in_pieces(task, Cut::kByCost, pieces);
  EXPECT_GT(pieces, 1u);
  for (size_t row = 0; row < kHeight; ++row) {
    ASSERT_TRUE(std::equal(source.begin() + static_cast<ptrdiff_t>(row * 3500),
                           source.begin() + static_cast<ptrdiff_t>(row * 3500 + kWidth),
                           target.begin() + static_cast<ptrdiff_t>(row * 3100)));
    ASSERT_TRUE(std::all_of(target.begin() + static_cast<ptrdiff_t>(row * 3100 + kWidth),
                            target.begin() + static_cast<ptrdiff_t>(row * 3100 + 3100),
                            [](char byte) { return byte == 0; }));
  }
}

TEST(CutFill, WritesEveryWord) {
  std::vector<uint32_t> words(3 * kSmallestPiece / sizeof(uint32_t) + 7, 0);
  Task task;
  task.kind = FERRYX_FILL;
  task.as.fill = {.dst = nullptr,
                  .dst_storage = words.data(),
                  .size = words.size() * sizeof(uint32_t),
                  .value = 0xDEADBEEF,
                  .width = 4};
  size_t pieces = 0;
  run_in_pieces(task, Cut::kByCost, pieces);
  EXPECT_EQ(pieces, 4u);
  EXPECT_EQ(std::count(words.begin(), words.end(), 0xDEADBEEF),
            static_cast<ptrdiff_t>(words.size()));
}

}  // namespace
}  // namespace ferry::cpu
