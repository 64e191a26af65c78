// SPDX-License-Identifier: Apache-2.0
// Entries of FERRY_FAIL.
#include "base/failure_rule.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

using std::chrono::microseconds;

TEST(FailureRule, ReadsTheOldForms) {
  const auto third = parse_failure_rule("aclrtMalloc:3=207001");
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ("aclrtMalloc", third->function);
  EXPECT_EQ(3u, third->nth);
  EXPECT_EQ(207001, third->code);
  EXPECT_FALSE(third->is_at_run || third->stream || third->millionths || third->damages_memory);
  const auto every = parse_failure_rule("aclrtFree:*=107000");
  ASSERT_TRUE(every.has_value());
  EXPECT_EQ(0u, every->nth);
}

TEST(FailureRule, ReadsPercentages) {
  const std::pair<const char*, uint32_t> rows[] = {{"a:1%=1", 10000},
                                                   {"a:100%=1", 1000000},
                                                   {"a:2.5%=1", 25000},
                                                   {"a:0.0001%=1", 1},
                                                   {"a:99.9999%=1", 999999}};
  for (const auto& [text, millionths] : rows) {
    const auto rule = parse_failure_rule(text);
    ASSERT_TRUE(rule.has_value()) << text;
    EXPECT_EQ(millionths, *rule->millionths) << text;
  }
}

TEST(FailureRule, ReadsPlaces) {
  const auto rule = parse_failure_rule("a:1%@seed7@run@stream12=507001");
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(7u, rule->seed);
  EXPECT_TRUE(rule->is_at_run);
  EXPECT_EQ(12, *rule->stream);
}

TEST(FailureRule, ReadsWhatHappens) {
  EXPECT_EQ(microseconds(20), parse_failure_rule("a:1=20us")->delay);
  EXPECT_EQ(microseconds(20000), parse_failure_rule("a:1=20ms")->delay);
  EXPECT_EQ(microseconds(3'600'000'000), parse_failure_rule("a:1@run=3600s")->delay);
  EXPECT_TRUE(parse_failure_rule("a:1=uce")->damages_memory);
}

TEST(FailureRule, RefusesTheRest) {
  for (const char* text : {"",
                           "a",
                           "a:1",
                           "a=1",
                           "a=1:1",
                           "a:=1",
                           "a:0=1",
                           "a:1=0",
                           "a:1=",
                           "a:x=1",
                           "a:-1=1",
                           "a:%=1",
                           "a:0%=1",
                           "a:101%=1",
                           "a:100.1%=1",
                           "a:1.%=1",
                           "a:.5%=1",
                           "a:0.00001%=1",
                           "a:1@=1",
                           "a:1@walk=1",
                           "a:1@stream=1",
                           "a:1@stream-1=1",
                           "a:1@seed=1",
                           "a:1@run=uce",
                           "a:1=0ms",
                           "a:1=ms",
                           "a:1=1h",
                           "a:1=3601s",
                           "a:1=99999999999999999999us",
                           "a:1=-1ms"}) {
    EXPECT_FALSE(parse_failure_rule(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ferry
