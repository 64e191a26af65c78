// SPDX-License-Identifier: Apache-2.0
// Medians and spreads of rounds. Nothing here measures.
#pragma once

#include <cstddef>
#include <vector>

namespace ferry::bench {

/// The middle of the values; of an even number, the mean of the two in the middle. NaN of none.
double median(const std::vector<double>& values);

/// A median, and half the distance between the quartiles as a share of it.
struct Summary {
  double median;
  double spread;
};
Summary summary_of(const std::vector<double>& values);

/// Of the quotients above[i] / below[i], and of the differences above[i] - below[i]: rounds are
/// compared one by one, because what disturbs a round disturbs all that runs in it.
Summary ratio_of(const std::vector<double>& above, const std::vector<double>& below);
Summary difference_of(const std::vector<double>& above, const std::vector<double>& below);

/// Which of the series has the smallest median.
size_t fastest_of(const std::vector<std::vector<double>>& series);

}  // namespace ferry::bench
