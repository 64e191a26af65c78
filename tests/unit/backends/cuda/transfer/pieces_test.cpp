// SPDX-License-Identifier: Apache-2.0
// Cutting copies into pieces for staging buffers.
#include "backends/cuda/transfer/pieces.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry::cuda {
namespace {

constexpr uint64_t kSource = uint64_t{1} << 40;
constexpr uint64_t kTarget = uint64_t{1} << 44;

ferryx_copy to_device(uint64_t at, uint64_t size) {
  ferryx_copy item{};
  item.dst_storage = reinterpret_cast<void*>(kTarget + at);
  item.src_storage = reinterpret_cast<void*>(kSource + at);
  item.size = size;
  return item;
}

// Every byte of every item is in exactly one part, in order; no part leaves the buffer.
void check(const std::vector<ferryx_copy>& items) {
  std::vector<char> buffer(kPieceBuffer + kPieceAlignment);
  char* start = buffer.data();
  start += -reinterpret_cast<uint64_t>(start) % kPieceAlignment;
  std::vector<Part> parts;
  size_t item = 0;
  uint64_t offset = 0;
  for (const Piece& piece : cut_pieces(items)) {
    ASSERT_LE(piece.bytes, kPieceBytes);
    lay_out(items, piece, HostSide::kSource, start, parts);
    ASSERT_LE(parts.size(), kPieceItems);
    char* behind = start;
    for (const Part& part : parts) {
      ASSERT_EQ(part.device, static_cast<char*>(items[item].dst_storage) + offset);
      ASSERT_EQ(part.host, static_cast<const char*>(items[item].src_storage) + offset);
      ASSERT_EQ(reinterpret_cast<uint64_t>(part.staged) % kPieceAlignment,
                reinterpret_cast<uint64_t>(part.device) % kPieceAlignment);
      ASSERT_GE(part.staged, behind) << "overlaps the previous part";
      behind = part.staged + part.size;
      ASSERT_LE(behind, start + kPieceBuffer);
      offset += part.size;
      if (offset == items[item].size) {
        ++item;
        offset = 0;
      }
    }
  }
  EXPECT_EQ(item, items.size());
}

TEST(Pieces, CoverOneLargeItem) {
  check({to_device(3, 10 * kPieceBytes + 12345)});
  EXPECT_EQ(cut_pieces(std::vector{to_device(0, 2 * kPieceBytes)}).size(), 2u);
}

TEST(Pieces, TakeSmallItemsTogether) {
  std::vector<ferryx_copy> items;
  for (uint64_t i = 0; i < 1000; ++i)
    items.push_back(to_device(i * 1001, 512));
  EXPECT_EQ(cut_pieces(items).size(), 1u);
  check(items);
}

TEST(Pieces, CoverManyTinyAndMixedItems) {
  std::vector<ferryx_copy> items;
  for (uint64_t i = 0; i < 3 * kPieceItems + 7; ++i)
    items.push_back(to_device(i * 4099, i % 17 + 1));
  check(items);
  for (uint64_t i = 0; i < 50; ++i)
    items.push_back(to_device(i * 3 * kPieceBytes, i * 77777 + 1));
  check(items);
}

TEST(Pieces, KnowWhichSideIsTheHost) {
  const std::vector<ferryx_copy> items{to_device(16, 64)};
  std::vector<char> buffer(kPieceBuffer);
  std::vector<Part> parts;
  lay_out(items, {.item = 0, .offset = 0, .bytes = 64}, HostSide::kDestination, buffer.data(),
          parts);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].host, items[0].dst_storage);
  EXPECT_EQ(parts[0].device, items[0].src_storage);
}

TEST(Pieces, AreNoneOfNothing) {
  EXPECT_TRUE(cut_pieces({}).empty());
}

}  // namespace
}  // namespace ferry::cuda
