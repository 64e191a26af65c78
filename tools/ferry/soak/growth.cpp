// SPDX-License-Identifier: Apache-2.0
// Medians of quarters.
#include "soak/growth.h"

#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace ferry::tools::soak {
namespace {

constexpr size_t kQuarters = 4;

template <typename Number>
double median_of(const std::vector<Sample>& samples, size_t quarter, const Number& number) {
  const size_t length = samples.size() / kQuarters;
  std::vector<double> numbers;
  for (size_t i = quarter * length; i < (quarter + 1) * length; ++i)
    numbers.push_back(static_cast<double>(number(samples[i])));
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(length / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

std::string amount_text(const Kind& kind, double amount) {
  if (kind.unit == Unit::kCount) return fmt::format("{:.3g}", amount);
  const std::string size = size_text(static_cast<uint64_t>(std::abs(amount)));
  return amount <= -1 ? "-" + size : size;
}

Growth growth_of(size_t kind, const std::vector<Sample>& samples) {
  if (samples.size() < kQuarters) return {};
  std::array<double, kQuarters> amounts{};
  for (size_t quarter = 0; quarter < kQuarters; ++quarter) {
    amounts[quarter] =
        median_of(samples, quarter, [kind](const Sample& sample) { return sample.holdings[kind]; });
  }
  const auto round = [](const Sample& sample) { return sample.round; };
  const double rounds =
      std::max(1.0, median_of(samples, kQuarters - 1, round) - median_of(samples, 0, round));
  const double growth = amounts.back() - amounts.front();
  const bool rises =
      std::adjacent_find(amounts.begin(), amounts.end(), std::greater_equal<>()) == amounts.end();
  const double noise = kKinds[kind].noise + kKinds[kind].noise_per_round * rounds;
  return {amounts.front(), amounts.back(), growth / rounds, rises && growth > noise};
}

}  // namespace ferry::tools::soak
