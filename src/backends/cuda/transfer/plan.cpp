// SPDX-License-Identifier: Apache-2.0
// The cost model of batches: each way has a cost per batch and a cost per item, known at a few
// sizes and linear between them.
#include "backends/cuda/transfer/plan.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

constexpr uint64_t kSmallItem = 2048;
constexpr uint32_t kEnoughForLargerItems = 16;  // multiprocessors
static_assert(kEnoughForLargerItems <= kMostMultiprocessors);
// Submitting an item to the copy engine takes the caller half a microsecond or more. For short
// items the engine must be faster by this factor to be worth that.
constexpr uint64_t kLongItem = 131072;
constexpr double kWorthTheCaller = 1.25;
// A batch in two parts. The first must last until the second is launched, which takes some ten
// microseconds; but each item in the first makes its launch longer.
constexpr uint64_t kFirstPartBytes = uint64_t{1} << 20;
constexpr uint64_t kMostFirstPart = 1024;
constexpr uint64_t kLeastInParts = 896;
constexpr uint64_t kMostBytesInParts = uint64_t{64} << 20;
// Fewer bytes are not worth another multiprocessor.
constexpr uint64_t kLeastBytesOfMultiprocessor = 32768;
constexpr uint64_t kWarpsOfBlock = kKernelThreads / 32;

using Prices = std::array<double, kMeasuredSizes.size()>;

// Linear between the measured sizes and beyond them; never negative.
double price_at(const Prices& prices, double size) {
  size_t right = 1;
  while (right + 1 < kMeasuredSizes.size() && size > static_cast<double>(kMeasuredSizes[right]))
    ++right;
  const auto x0 = static_cast<double>(kMeasuredSizes[right - 1]);
  const auto x1 = static_cast<double>(kMeasuredSizes[right]);
  const double share = (size - x0) / (x1 - x0);
  return std::max(0.0, prices[right - 1] + share * (prices[right] - prices[right - 1]));
}

// The cost per batch is not extrapolated beyond the measured sizes.
double start_price_at(const Prices& prices, double size) {
  const double inside = std::clamp(size, static_cast<double>(kMeasuredSizes.front()),
                                   static_cast<double>(kMeasuredSizes.back()));
  return price_at(prices, inside);
}

double average_size(const Summary& summary) {
  return static_cast<double>(summary.bytes) / static_cast<double>(summary.count);
}

}  // namespace

const Calibration& default_calibration() {
  static const Calibration calibration{
      .costs = {{{{{.batch = {4, 4, 4, 4, 4}, .item = {2.53, 3.06, 3.94, 7.41, 21.6}},
                   {.batch = {12, 12, 12, 12, 12}, .item = {0.52, 0.75, 1.28, 4.89, 19.1}},
                   {.batch = {13, 13, 13, 13, 13}, .item = {0.080, 0.315, 1.26, 5.11, 20.4}}}},
                 {{{.batch = {4, 4, 4, 4, 4}, .item = {1.75, 2.06, 3.02, 6.52, 20.8}},
                   {.batch = {12, 12, 12, 12, 12}, .item = {0.70, 0.83, 1.34, 4.85, 19.1}},
                   {.batch = {13, 13, 13, 13, 13}, .item = {0.078, 0.310, 1.22, 4.98, 19.7}}}}}}};
  return calibration;
}

double predict(const WayCost& cost, uint64_t count, double size) {
  return start_price_at(cost.batch, size) + static_cast<double>(count) * price_at(cost.item, size);
}

Plan plan(const Summary& summary, Bus bus, const Calibration& calibration,
          const Overrides& overrides, Reach reach) {
  if (summary.count == 1 && overrides.batch != BatchWay::kKernel) {
    return {.way = Way::kCopies, .reason = Reason::kSingle};
  }
  if (overrides.batch == BatchWay::kKernel && reach == Reach::kAll) {
    return {.way = Way::kKernel, .reason = Reason::kForced};
  }
  const auto& costs = calibration.costs[static_cast<size_t>(bus)];
  const auto price = [&](Way way) {
    return predict(costs[static_cast<size_t>(way)], summary.count, average_size(summary));
  };
  const Way engine = price(Way::kBatch) < price(Way::kCopies) ? Way::kBatch : Way::kCopies;
  if (reach == Reach::kNotAll) return {.way = engine, .reason = Reason::kOutOfReach};
  if (overrides.batch == BatchWay::kEngine) return {.way = engine, .reason = Reason::kForced};
  const bool is_long = summary.bytes >= summary.count * kLongItem;
  const double most = price(engine) * (is_long ? 1 : kWorthTheCaller);
  const Way cheapest = price(Way::kKernel) < most ? Way::kKernel : engine;
  const bool is_large = summary.bytes >= summary.count * kLargeItem;
  return {.way = cheapest,
          .reason = is_large && cheapest != Way::kKernel ? Reason::kLarge : Reason::kCheapest};
}

uint32_t multiprocessors_for(const Summary& summary, const Overrides& overrides) {
  const bool is_small = summary.bytes < summary.count * kSmallItem;
  const uint64_t useful =
      std::max((summary.bytes + kLeastBytesOfMultiprocessor - 1) / kLeastBytesOfMultiprocessor,
               (summary.count + kWarpsOfBlock - 1) / kWarpsOfBlock);
  uint64_t most = is_small ? kMostMultiprocessors : kEnoughForLargerItems;
  if (overrides.most_multiprocessors != 0) {
    most = std::min<uint64_t>(most, overrides.most_multiprocessors);
  }
  return static_cast<uint32_t>(std::clamp<uint64_t>(useful, 1, most));
}

uint64_t first_part_of(const Summary& summary) {
  const auto even = static_cast<uint64_t>(kFirstPartBytes / average_size(summary));
  const uint64_t first = std::min(even, kMostFirstPart);
  const bool is_worth_it =
      summary.count >= std::max(2 * first, kLeastInParts) && summary.bytes <= kMostBytesInParts;
  return is_worth_it ? first : summary.count;
}

uint64_t piece_for(const Summary& summary) {
  const uint64_t average = (summary.bytes + summary.count - 1) / summary.count;
  if (summary.largest <= 2 * average) return summary.largest;
  return (average + kUnitStep - 1) / kUnitStep * kUnitStep;
}

uint32_t unit_bytes_for(uint64_t bytes, uint64_t warps) {
  constexpr uint64_t kLeast = 2048;
  constexpr uint64_t kMost = 16384;
  constexpr uint64_t kUnitsOfWarp = 8;
  const uint64_t even = bytes / (warps * kUnitsOfWarp) / kUnitStep * kUnitStep;
  return static_cast<uint32_t>(std::clamp(even, kLeast, kMost));
}

}  // namespace ferry::cuda
