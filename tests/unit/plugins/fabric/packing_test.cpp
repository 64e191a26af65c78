// SPDX-License-Identifier: Apache-2.0
// Which blocks travel packed, and buffers that are used again.
#include "plugins/fabric/packing.h"

#include "plugins/fabric/buffers.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ferry::fabric {
namespace {

TEST(FabricPacking, TheBorderIsWhereTwoCopiesCostARequest) {
  EXPECT_EQ(packed_block_for(4096, 0.1), 20'480u);
  EXPECT_LT(packed_block_for(2000, 0.1), packed_block_for(4000, 0.1)) << "dear requests";
  EXPECT_LT(packed_block_for(4000, 0.2), packed_block_for(4000, 0.1)) << "dear copies";
}

TEST(FabricPacking, ABadMeasurementDoesLittleHarm) {
  EXPECT_EQ(packed_block_for(1e9, 0.1), kMostPackedBlock);
  EXPECT_EQ(packed_block_for(1, 0.1), kLeastPackedBlock);
  EXPECT_EQ(packed_block_for(0, 0.1), kUsualPackedBlock);
  EXPECT_EQ(packed_block_for(1000, 0), kUsualPackedBlock);
}

TEST(FabricPacking, CopyingTakesTime) {
  EXPECT_GT(measure_copying(), 0);
}

TEST(FabricBuffers, LargeOnesAreUsedAgain) {
  BufferPool pool;
  Buffer first = pool.take(BufferPool::kSmall + 1);
  const uint8_t* const place = first.data();
  pool.give(std::move(first));
  const Buffer second = pool.take(BufferPool::kKept);
  EXPECT_EQ(place, second.data());
  EXPECT_EQ(second.size(), BufferPool::kKept);
}

TEST(FabricBuffers, OthersAreAsLargeAsAskedFor) {
  BufferPool pool;
  for (const size_t size : {size_t{1}, BufferPool::kSmall, BufferPool::kKept + 1}) {
    Buffer buffer = pool.take(size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.capacity(), size);
    pool.give(std::move(buffer));
  }
}

}  // namespace
}  // namespace ferry::fabric
