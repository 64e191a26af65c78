// SPDX-License-Identifier: Apache-2.0
// Order statistics.
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace ferry::bench {
namespace {

// The value below which `share` of the sorted values lie, interpolated linearly.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

template <typename Operation>
Summary summary_of_pairs(const std::vector<double>& above, const std::vector<double>& below,
                         Operation operation) {
  std::vector<double> results(std::min(above.size(), below.size()));
  for (size_t i = 0; i < results.size(); ++i)
    results[i] = operation(above[i], below[i]);
  return summary_of(results);
}

}  // namespace

double median(const std::vector<double>& values) {
  return summary_of(values).median;
}

Summary summary_of(const std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {kNone, kNone};
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double middle = quantile(sorted, 0.5);
  const double distance = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return {middle, distance / 2 / std::abs(middle)};
}

Summary ratio_of(const std::vector<double>& above, const std::vector<double>& below) {
  return summary_of_pairs(above, below, std::divides<>());
}

Summary difference_of(const std::vector<double>& above, const std::vector<double>& below) {
  return summary_of_pairs(above, below, std::minus<>());
}

size_t fastest_of(const std::vector<std::vector<double>>& series) {
  size_t best = 0;
  for (size_t i = 1; i < series.size(); ++i) {
    if (median(series[i]) < median(series[best])) best = i;
  }
  return best;
}

}  // namespace ferry::bench
