// SPDX-License-Identifier: Apache-2.0
// Targets for batches on a GPU, and the layout of their blocks.
#include "bench/cuda/scatter.h"
#include "bench/cuda/targets.h"

#include <gtest/gtest.h>

#include <set>

namespace ferry::bench::cuda {
namespace {

constexpr size_t kKibi = 1024;
constexpr size_t kMebi = kKibi * kKibi;

TEST(CudaTargets, the_share_of_the_limit_rises_with_the_block) {
  EXPECT_EQ(least_share_of_limit(Direction::kIn, 512), 0.60);
  EXPECT_EQ(least_share_of_limit(Direction::kOut, 512), 0.63);
  EXPECT_EQ(least_share_of_limit(Direction::kIn, 2 * kKibi), 0.82);
  EXPECT_EQ(least_share_of_limit(Direction::kOut, 2 * kKibi), 0.84);
  EXPECT_EQ(least_share_of_limit(Direction::kIn, 4 * kKibi), 0.87);
  EXPECT_EQ(least_share_of_limit(Direction::kOut, 4 * kKibi), 0.89);
  for (const size_t kibis : {16u, 64u, 256u}) {
    EXPECT_EQ(least_share_of_limit(Direction::kIn, kibis * kKibi), 0.90);
    EXPECT_EQ(least_share_of_limit(Direction::kOut, kibis * kKibi), 0.92);
  }
  EXPECT_EQ(least_share_of_limit(Direction::kIn, kMebi), 0.96);
  EXPECT_EQ(least_share_of_limit(Direction::kOut, kMebi), 0.96);
}

TEST(CudaTargets, many_small_blocks_gain_most) {
  for (const size_t bytes : {size_t{512}, 2 * kKibi, 4 * kKibi}) {
    EXPECT_EQ(least_gain(Direction::kIn, 4096, bytes), 5);
    EXPECT_EQ(least_gain(Direction::kOut, 4096, bytes), 5);
  }
  EXPECT_EQ(least_gain(Direction::kIn, 4096, 16 * kKibi), 5);
  EXPECT_EQ(least_gain(Direction::kOut, 4096, 16 * kKibi), 2);
}

TEST(CudaTargets, nothing_may_be_slower) {
  EXPECT_EQ(least_gain(Direction::kIn, 4096, 64 * kKibi), 0.97);
  EXPECT_EQ(least_gain(Direction::kOut, 256, kMebi), 0.97);
  EXPECT_EQ(least_gain(Direction::kIn, 16, 512), 0.97);
  EXPECT_EQ(least_gain(Direction::kOut, 1024, 4 * kKibi), 0.97);
}

TEST(CudaTargets, kernels_are_small) {
  EXPECT_EQ(most_multiprocessors(512), 32);
  EXPECT_EQ(most_multiprocessors(2 * kKibi), 16);
  EXPECT_EQ(most_multiprocessors(kMebi), 16);
}

TEST(Scatter, blocks_of_all_sets_lie_apart_and_inside_the_pool) {
  const std::vector<Layout> layouts = scattered_sets(3, 100, 512, kMebi);
  ASSERT_EQ(layouts.size(), 3U);
  std::set<size_t> from;
  std::set<size_t> to;
  for (const Layout& layout : layouts) {
    EXPECT_EQ(layout.bytes(), 100U * 512);
    EXPECT_EQ(layout.pool_bytes, kMebi);
    from.insert(layout.from.begin(), layout.from.end());
    to.insert(layout.to.begin(), layout.to.end());
  }
  for (const std::set<size_t>& offsets : {from, to}) {
    EXPECT_EQ(offsets.size(), 300U);
    for (const size_t offset : offsets) {
      EXPECT_EQ(offset % 512, 0U);
      EXPECT_LE(offset + 512, kMebi);
    }
  }
}

TEST(Scatter, neighbours_are_torn_apart) {
  const Layout layout = scattered_sets(1, 1000, 512, kMebi).front();
  size_t neighbours = 0;
  for (size_t i = 1; i < layout.from.size(); ++i) {
    if (layout.from[i] == layout.from[i - 1] + 512 && layout.to[i] == layout.to[i - 1] + 512)
      ++neighbours;
  }
  EXPECT_LE(neighbours, 1U);
}

TEST(Scatter, a_full_pool_is_used_up) {
  const Layout layout = scattered_sets(1, 4, kMebi, 4 * kMebi).front();
  EXPECT_EQ(std::set<size_t>(layout.to.begin(), layout.to.end()).size(), 4U);
}

TEST(Scatter, the_pool_is_larger_than_the_cache_and_than_the_batch) {
  EXPECT_EQ(pool_bytes_for(2 * kMebi, 60 * kMebi, kKibi * kMebi), 300 * kMebi);
  EXPECT_EQ(pool_bytes_for(256 * kMebi, 60 * kMebi, kKibi * kMebi), 512 * kMebi);
  EXPECT_EQ(pool_bytes_for(2 * kMebi, 60 * kMebi, 32 * kMebi), 32 * kMebi);
  EXPECT_EQ(pool_bytes_for(512, 1, kKibi * kMebi), kMebi);
}

}  // namespace
}  // namespace ferry::bench::cuda
