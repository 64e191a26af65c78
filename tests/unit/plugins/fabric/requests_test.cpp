// SPDX-License-Identifier: Apache-2.0
// How pieces become requests.
#include "plugins/fabric/requests.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry::fabric {
namespace {

class FabricRequests : public testing::Test {
 protected:
  ferryx_fabric_piece piece(uint64_t offset, uint64_t size, uint32_t is_unsure = 0) {
    return {.opening = &opening_,
            .offset = offset,
            .local = reinterpret_cast<void*>(uintptr_t{1} << 40 | offset),
            .size = size,
            .is_unsure = is_unsure};
  }
  static auto cut_all(const std::vector<ferryx_fabric_piece>& pieces) {
    return cut(FERRYX_FABRIC_PUT, pieces.data(), pieces.size());
  }

  ferryx_fabric_opening opening_{.peer = nullptr, .segment = 3, .size = 1 << 30, .fabric = nullptr};
};

TEST_F(FabricRequests, NeighboursAreMerged) {
  const auto chunks = cut_all({piece(0, 100'000), piece(100'000, 100'000)});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0]->size, 200'000u);
  EXPECT_EQ(chunks[0]->message, Message::kPut);
}

TEST_F(FabricRequests, LargeOnesAreCut) {
  const auto chunks = cut_all({piece(5, kMostChunk * 2 + 1)});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[2]->offset, 5 + kMostChunk * 2);
  EXPECT_EQ(chunks[2]->size, 1u);
  EXPECT_EQ(cut_all({piece(0, kMostStaged * 2, 1)}).size(), 2u) << "memory that may fault";
}

TEST_F(FabricRequests, SmallBlocksArePacked) {
  std::vector<ferryx_fabric_piece> pieces;
  for (uint64_t i = 0; i < 1000; ++i)
    pieces.push_back(piece(i * 8192, 4096));
  const auto chunks = cut_all(pieces);
  ASSERT_EQ(chunks.size(), 16u) << "256 KiB to a message";
  EXPECT_EQ(chunks[0]->message, Message::kPutPacked);
  EXPECT_EQ(chunks[0]->parts.size(), kPackedRequest / 4096);
  uint64_t sum = 0;
  for (const auto& chunk : chunks)
    sum += chunk->size;
  EXPECT_EQ(sum, 1000u * 4096);
}

TEST_F(FabricRequests, ASingleSmallBlockNeedsNoList) {
  const auto chunks = cut_all({piece(64, 100)});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0]->message, Message::kPut);
  EXPECT_TRUE(chunks[0]->parts.empty());
  EXPECT_EQ(chunks[0]->offset, 64u);
}

}  // namespace
}  // namespace ferry::fabric
