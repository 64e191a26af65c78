// SPDX-License-Identifier: Apache-2.0
// Medians and spreads of rounds. Nothing here measures.
#pragma once

#include <cstddef>
#include <vector>

namespace ferry::bench {

/// The middle value; for an even count, the mean of the two middle ones. NaN if there are none.
double median(const std::vector<double>& values);

/// A median, and half the interquartile range relative to it.
struct Summary {
  double median;
  double spread;
};
Summary summary_of(const std::vector<double>& values);

/// Of the quotients above[i] / below[i], and of the differences above[i] - below[i]. Rounds are
/// compared one by one, because a disturbance affects everything in the same round.
Summary ratio_of(const std::vector<double>& above, const std::vector<double>& below);
Summary difference_of(const std::vector<double>& above, const std::vector<double>& below);

/// The index of the series with the smallest median.
size_t fastest_of(const std::vector<std::vector<double>>& series);

}  // namespace ferry::bench
