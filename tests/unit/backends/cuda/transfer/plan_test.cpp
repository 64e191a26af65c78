// SPDX-License-Identifier: Apache-2.0
// Choosing the way for a batch.
#include "backends/cuda/transfer/plan.h"

#include <gtest/gtest.h>

namespace ferry::cuda {
namespace {

constexpr uint64_t kKiB = 1024;

Summary alike(uint64_t count, uint64_t size) {
  return {.count = count, .bytes = count * size, .largest = size};
}

Plan plan_default(const Summary& summary, Bus bus, const Overrides& overrides = {},
                  Reach reach = Reach::kAll) {
  return plan(summary, bus, default_calibration(), overrides, reach);
}

class BothWays : public ::testing::TestWithParam<Bus> {};
INSTANTIATE_TEST_SUITE_P(Plan, BothWays, ::testing::Values(Bus::kToDevice, Bus::kToHost));

TEST_P(BothWays, TakesTheKernelForManySmallItems) {
  for (const uint64_t size : {512ul, 2 * kKiB, 4 * kKiB, 16 * kKiB, 64 * kKiB}) {
    EXPECT_EQ(plan_default(alike(4096, size), GetParam()).way, Way::kKernel) << size;
  }
}

TEST_P(BothWays, TakesTheBatchedCopyForManyLargeItems) {
  const Plan planned = plan_default(alike(256, 1024 * kKiB), GetParam());
  EXPECT_EQ(planned.way, Way::kBatch);
  EXPECT_EQ(planned.reason, Reason::kLarge);
}

TEST_P(BothWays, TakesPlainCopiesForFewItems) {
  EXPECT_EQ(plan_default(alike(2, 64 * kKiB), GetParam()).way, Way::kCopies);
  EXPECT_EQ(plan_default(alike(1, 64 * kKiB), GetParam()).reason, Reason::kSingle);
}

// Submitting short items to the engine costs the caller time: a small gain is not worth it.
TEST(Plan, TakesTheEngineForShortItemsOnlyIfItIsMuchFaster) {
  const auto planned = [](double engine, uint64_t size) {
    Calibration calibration;
    calibration.costs[0][static_cast<size_t>(Way::kCopies)].item.fill(10);
    calibration.costs[0][static_cast<size_t>(Way::kBatch)].item.fill(engine);
    calibration.costs[0][static_cast<size_t>(Way::kKernel)].item.fill(1);
    return plan(alike(64, size), Bus::kToDevice, calibration, {}, Reach::kAll).way;
  };
  EXPECT_EQ(planned(0.9, 64 * kKiB), Way::kKernel);
  EXPECT_EQ(planned(0.5, 64 * kKiB), Way::kBatch);
  EXPECT_EQ(planned(0.9, 128 * kKiB), Way::kBatch);
  EXPECT_EQ(planned(1.1, 128 * kKiB), Way::kKernel);
}

TEST_P(BothWays, ObeysTheUser) {
  const Overrides engine{.batch = BatchWay::kEngine};
  const Plan by_engine = plan_default(alike(4096, 512), GetParam(), engine);
  EXPECT_NE(by_engine.way, Way::kKernel);
  EXPECT_EQ(by_engine.reason, Reason::kForced);
  const Overrides kernel{.batch = BatchWay::kKernel};
  const Plan by_kernel = plan_default(alike(1, 4096 * kKiB), GetParam(), kernel);
  EXPECT_EQ(by_kernel.way, Way::kKernel);
  EXPECT_EQ(by_kernel.reason, Reason::kForced);
}

TEST_P(BothWays, NeverSendsAKernelOutOfReach) {
  for (const BatchWay batch : {BatchWay::kAuto, BatchWay::kEngine, BatchWay::kKernel}) {
    const Plan planned =
        plan_default(alike(4096, 512), GetParam(), {.batch = batch}, Reach::kNotAll);
    EXPECT_NE(planned.way, Way::kKernel);
    EXPECT_EQ(planned.reason, Reason::kOutOfReach);
  }
}

TEST(Plan, FollowsTheCalibration) {
  Calibration slow_kernel = default_calibration();
  for (auto& bus : slow_kernel.costs) {
    for (double& price : bus[static_cast<size_t>(Way::kKernel)].item)
      price *= 1000;
  }
  EXPECT_NE(plan(alike(4096, 512), Bus::kToDevice, slow_kernel, {}, Reach::kAll).way, Way::kKernel);
}

TEST(Plan, PredictsWhatWasMeasured) {
  const WayCost cost{.batch = {10, 20, 30, 40, 50}, .item = {1, 2, 3, 4, 8}};
  for (size_t i = 0; i < kMeasuredSizes.size(); ++i) {
    EXPECT_DOUBLE_EQ(predict(cost, 7, static_cast<double>(kMeasuredSizes[i])),
                     cost.batch[i] + 7 * cost.item[i]);
  }
}

TEST(Plan, PredictsBetweenAndBeyondWhatWasMeasured) {
  const WayCost cost{.batch = {10, 10, 10, 10, 20}, .item = {1, 2, 3, 4, 8}};
  EXPECT_DOUBLE_EQ(predict(cost, 1, (4096 + 16384) / 2.0), 11.5);
  const double last = static_cast<double>(kMeasuredSizes.back());
  const double one_more = last + (last - static_cast<double>(kMeasuredSizes[3]));
  EXPECT_DOUBLE_EQ(predict(cost, 1, one_more), 20 + 12);
  EXPECT_GE(predict(cost, 1000, 1), 10);
}

TEST(Plan, KeepsToFewMultiprocessors) {
  EXPECT_EQ(multiprocessors_for(alike(4096, 512), {}), 32u);
  EXPECT_EQ(multiprocessors_for(alike(4096, 2048), {}), 16u);
  EXPECT_EQ(multiprocessors_for(alike(4096, 262144), {}), 16u);
  EXPECT_EQ(multiprocessors_for(alike(2, 512), {}), 1u);
  EXPECT_EQ(multiprocessors_for(alike(4096, 512), {.most_multiprocessors = 4}), 4u);
}

TEST(Plan, LaunchesManySmallItemsInTwoParts) {
  const uint64_t first = first_part_of(alike(4096, 4096));
  EXPECT_GT(first, 0u);
  EXPECT_LT(first, 4096u / 2);
  EXPECT_LT(first_part_of(alike(4096, 16384)), first) << "long items take longer";
  EXPECT_GT(first_part_of(alike(4096, 512)), first) << "short items finish sooner";
  EXPECT_LE(first_part_of(alike(4096, 512)), 4096u / 2);
  EXPECT_EQ(first_part_of(alike(4096, 65536)), 4096u)
      << "one launch costs little compared with the copy";
  EXPECT_EQ(first_part_of(alike(800, 4096)), 800u) << "the list is short";
  EXPECT_EQ(first_part_of(alike(2000, 512)), 2000u) << "the list is short";
  EXPECT_EQ(first_part_of(alike(256, 16384)), 256u) << "the list is short";
  EXPECT_LT(first_part_of(alike(1024, 4096)), 1024u);
}

TEST(Plan, CutsOnlyItemsThatDiffer) {
  EXPECT_EQ(piece_for(alike(100, 70000)), 70000u);
  EXPECT_EQ(piece_for({.count = 2, .bytes = 5000, .largest = 3000}), 3000u);
  const Summary mixed{.count = 100, .bytes = 99 * 512 + 900000, .largest = 900000};
  const uint64_t piece = piece_for(mixed);
  EXPECT_LT(piece, mixed.largest);
  EXPECT_EQ(piece % kUnitStep, 0u);
  EXPECT_LE(99 + (mixed.largest + piece - 1) / piece, 2 * mixed.count);
}

TEST(Plan, MakesUnitsOfWholeSteps) {
  for (const uint64_t bytes :
       {uint64_t{1}, uint64_t{100000}, uint64_t{1} << 20, uint64_t{1} << 34}) {
    const uint32_t unit = unit_bytes_for(bytes, 256);
    EXPECT_EQ(unit % kUnitStep, 0u);
    EXPECT_GE(unit, 2048u);
    EXPECT_LE(unit, 16384u);
  }
}

}  // namespace
}  // namespace ferry::cuda
