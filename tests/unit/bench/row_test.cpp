// SPDX-License-Identifier: Apache-2.0
// What counts as met, missed and skipped, which decides the result of `ferry bench --check`.
#include "bench/row.h"

#include <gtest/gtest.h>

#include <limits>

namespace ferry::bench {
namespace {

Row judged_row(const Target& target, double value) {
  Row row;
  row.question = "latency";
  row.what = "submit";
  row.target = target;
  row.judged = value;
  return row;
}

TEST(Row, at_least_includes_its_limit) {
  EXPECT_EQ(judge(judged_row(at_least(0.95), 0.95)), Verdict::kMet);
  EXPECT_EQ(judge(judged_row(at_least(0.95), 1.2)), Verdict::kMet);
  EXPECT_EQ(judge(judged_row(at_least(0.95), 0.949)), Verdict::kMissed);
}

TEST(Row, at_most_includes_its_limit) {
  EXPECT_EQ(judge(judged_row(at_most(1.2), 1.2)), Verdict::kMet);
  EXPECT_EQ(judge(judged_row(at_most(1.2), 1.21)), Verdict::kMissed);
}

TEST(Row, below_excludes_its_limit) {
  EXPECT_EQ(judge(judged_row(below(200, "ns"), 199.9)), Verdict::kMet);
  EXPECT_EQ(judge(judged_row(below(200, "ns"), 200)), Verdict::kMissed);
}

TEST(Row, a_number_that_is_none_is_missed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Target& target : {at_least(1), at_most(1), below(1, "us")})
    EXPECT_EQ(judge(judged_row(target, nan)), Verdict::kMissed) << target.text;
  Row row = judged_row(at_least(1), 2);
  row.judged.reset();
  EXPECT_EQ(judge(row), Verdict::kMissed);
}

TEST(Row, a_reason_excuses_and_no_target_is_no_verdict) {
  Row row = judged_row(at_least(20), 1);
  row.skipped = "OpenCL is not installed";
  EXPECT_EQ(judge(row), Verdict::kSkipped);
  row = judged_row(at_least(20), 1);
  row.target.reset();
  EXPECT_EQ(judge(row), Verdict::kNone);
}

TEST(Row, only_what_was_missed_is_named) {
  Row skipped = judged_row(at_least(20), 1);
  skipped.skipped = "OpenCL is not installed";
  Row missed = judged_row(below(200, "ns"), 314);
  missed.baseline_name = "PoCL";
  EXPECT_TRUE(missed_of({judged_row(at_least(1), 1), skipped}).empty());
  EXPECT_EQ(missed_of({judged_row(at_least(1), 1), missed, skipped}),
            std::vector<std::string>{"latency: submit (PoCL): 314, target < 200 ns"});
}

TEST(Row, exit_code_follows_check_and_what_was_missed) {
  const std::vector<Row> good{judged_row(at_least(1), 1)};
  const std::vector<Row> bad{judged_row(at_least(1), 0.5)};
  EXPECT_EQ(exit_code(good, OnMiss::kFail), 0);
  EXPECT_EQ(exit_code(bad, OnMiss::kFail), 1);
  EXPECT_EQ(exit_code(bad, OnMiss::kReport), 0);
}

}  // namespace
}  // namespace ferry::bench
