// SPDX-License-Identifier: Apache-2.0
// Medians, spreads, and the comparison of rounds.
#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ferry::bench {
namespace {

TEST(Statistics, median_of_odd_even_and_no_values) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Statistics, spread_is_half_the_distance_of_the_quartiles) {
  const Summary summary = summary_of({8, 9, 10, 11, 12});
  EXPECT_EQ(summary.median, 10);
  EXPECT_DOUBLE_EQ(summary.spread, 0.1);
  EXPECT_EQ(summary_of({7, 7, 7}).spread, 0);
}

// A machine that is slow for a while slows both sides of a round alike.
TEST(Statistics, rounds_are_compared_one_by_one) {
  const std::vector<double> ours{1, 10, 100};
  const std::vector<double> other{2, 20, 200};
  EXPECT_EQ(ratio_of(other, ours).median, 2);
  EXPECT_EQ(ratio_of(other, ours).spread, 0);
  EXPECT_EQ(difference_of(other, ours).median, 10);
  EXPECT_EQ(ratio_of({1, 9, 9}, {3, 3, 27}).median, 1.0 / 3);
}

TEST(Statistics, fastest_has_the_smallest_median) {
  EXPECT_EQ(fastest_of({{3, 3, 3}, {1, 2, 90}, {2.5, 2.5, 2.5}}), 1U);
}

}  // namespace
}  // namespace ferry::bench
