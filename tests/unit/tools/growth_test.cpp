// SPDX-License-Identifier: Apache-2.0
// What a soak takes for a leak.
#include "soak/growth.h"

#include <gtest/gtest.h>

#include <functional>

namespace ferry::tools::soak {
namespace {

// 64 samples, one in each tenth round, in which the process holds amount(sample number).
std::vector<Sample> samples_of(size_t kind, const std::function<int64_t(int64_t)>& amount) {
  std::vector<Sample> samples(64);
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].round = i * 10;
    samples[i].holdings[kind] = amount(static_cast<int64_t>(i));
  }
  return samples;
}

TEST(SoakGrowth, AnAmountThatStaysIsFlat) {
  const Growth growth = growth_of(kThreads, samples_of(kThreads, [](int64_t) { return 7; }));
  EXPECT_FALSE(growth.is_leak);
  EXPECT_EQ(growth.before, 7);
  EXPECT_EQ(growth.after, 7);
  EXPECT_EQ(growth.per_round, 0);
}

TEST(SoakGrowth, OneDescriptorInTenRoundsIsALeak) {
  const Growth growth =
      growth_of(kDescriptors, samples_of(kDescriptors, [](int64_t i) { return 7 + i; }));
  EXPECT_TRUE(growth.is_leak);
  EXPECT_EQ(growth.before, 15);
  EXPECT_EQ(growth.after, 63);
  EXPECT_DOUBLE_EQ(growth.per_round, 0.1);
}

TEST(SoakGrowth, OneByteOfDeviceMemoryPerSampleIsALeak) {
  EXPECT_TRUE(
      growth_of(kDeviceMemory, samples_of(kDeviceMemory, [](int64_t i) { return i; })).is_leak);
}

TEST(SoakGrowth, WhatIsAllocatedOnceIsNoLeak) {
  const auto step = [](int64_t i) { return i < 20 ? 0 : int64_t{100} << 20; };
  EXPECT_FALSE(growth_of(kHostMemory, samples_of(kHostMemory, step)).is_leak);
}

TEST(SoakGrowth, WhatComesAndGoesIsNoLeak) {
  const auto wave = [](int64_t i) { return (i % 8) << 20; };
  EXPECT_FALSE(growth_of(kHostMemory, samples_of(kHostMemory, wave)).is_leak);
}

TEST(SoakGrowth, SomeSamplesOfALoadedMachineDoNotMatter) {
  const auto spike = [](int64_t i) { return i % 5 == 0 ? 50 + i : 7; };
  EXPECT_FALSE(growth_of(kThreads, samples_of(kThreads, spike)).is_leak);
}

TEST(SoakGrowth, AFewBytesPerRoundAreFragmentationAndMoreAreALeak) {
  const auto growing_by = [](int64_t bytes_per_round) {
    return [=](int64_t i) { return i * 10 * bytes_per_round; };
  };
  EXPECT_FALSE(growth_of(kHostMemory, samples_of(kHostMemory, growing_by(1000))).is_leak);
  EXPECT_TRUE(growth_of(kHostMemory, samples_of(kHostMemory, growing_by(10000))).is_leak);
}

TEST(SoakGrowth, TooFewSamplesShowNothing) {
  EXPECT_FALSE(growth_of(kThreads, {{1, {0, 0, 0, 1, 0}}, {2, {0, 0, 0, 9, 0}}}).is_leak);
}

TEST(SoakGrowth, AmountsAreWrittenInTheirUnit) {
  EXPECT_EQ(amount_text(kKinds[kHostMemory], 3 << 20), "3.0 MiB");
  EXPECT_EQ(amount_text(kKinds[kHostMemory], -512), "-512 B");
  EXPECT_EQ(amount_text(kKinds[kThreads], 0.25), "0.25");
}

}  // namespace
}  // namespace ferry::tools::soak
