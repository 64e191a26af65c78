// SPDX-License-Identifier: Apache-2.0
// Counting copies by way.
#include "backends/cuda/transfer/ways.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

namespace ferry::cuda {
namespace {

TEST(Ways, AreCountedApart) {
  WayCounters ways;
  ways.count(Way::kKernel, Reason::kCheapest, 4096, 1 << 20);
  ways.count(Way::kKernel, Reason::kForced, 2, 100);
  ways.count(Way::kCopies, Reason::kSingle, 1, 7);
  ways.set_multiprocessors(16);
  const WayReport kernel = ways.report(Way::kKernel);
  EXPECT_EQ(kernel.tasks, 2u);
  EXPECT_EQ(kernel.items, 4098u);
  EXPECT_EQ(kernel.bytes, (1u << 20) + 100);
  EXPECT_EQ(kernel.multiprocessors, 16u);
  EXPECT_STREQ(kernel.reason, text_of(Reason::kForced));
  EXPECT_EQ(ways.report(Way::kCopies).tasks, 1u);
  EXPECT_EQ(ways.report(Way::kCopies).multiprocessors, 0u);
  EXPECT_EQ(ways.report(Way::kBatch).tasks, 0u);
  EXPECT_STREQ(ways.report(Way::kBatch).reason, "");
}

TEST(Ways, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Way way : {Way::kCopies, Way::kBatch, Way::kKernel, Way::kStaged})
    names.insert(name_of(way));
  EXPECT_EQ(names.size(), kWayCount);
  EXPECT_EQ(names.count(""), 0u);
}

TEST(Ways, HaveReasonsWithTextsOfTheirOwn) {
  std::set<std::string> texts;
  constexpr Reason kReasons[] = {Reason::kSingle,   Reason::kCheapest,   Reason::kLarge,
                                 Reason::kForced,   Reason::kOutOfReach, Reason::kPageable,
                                 Reason::kCaptured, Reason::kRows,       Reason::kReadOnDevice};
  for (const Reason reason : kReasons)
    texts.insert(text_of(reason));
  EXPECT_EQ(texts.size(), std::size(kReasons));
  EXPECT_EQ(texts.count(text_of(Reason::kNone)), 0u);
}

}  // namespace
}  // namespace ferry::cuda
