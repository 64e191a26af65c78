// SPDX-License-Identifier: Apache-2.0
// The layer over a table of its own: it counts calls, injects failures, and passes other calls on.
#include "layers/inject/inject.h"

#include "base/error_state.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry::layers::inject {
namespace {

int calls_below = 0;

aclError below(const char* /*path*/) {
  ++calls_below;
  return 42;
}
const char* name_below() {
  return "below";
}

DispatchTable below_table{};

const DispatchTable& layered_table() {
  below_table.aclInit = below;
  below_table.aclrtGetSocName = name_below;
  return table_over(below_table);
}

class Inject : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_failures();
    reset_counts();
    calls_below = 0;
    take_last_error();
  }
  void TearDown() override { clear_failures(); }

  const DispatchTable& table_ = layered_table();
};

TEST_F(Inject, LetsCallsThroughAndCountsThem) {
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(calls_below, 2);
  uint64_t count = 0;
  EXPECT_TRUE(count_of("aclInit", count));
  EXPECT_EQ(count, 2u);
  EXPECT_TRUE(count_of("aclFinalize", count));
  EXPECT_EQ(count, 0u);
  EXPECT_FALSE(count_of("aclNothing", count));
}

TEST_F(Inject, FailsTheNthCallAndOnlyThat) {
  EXPECT_EQ(add_failure({.function = "aclInit", .nth = 3, .code = 207001}), "");
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(table_.aclInit(nullptr), 207001);
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(calls_below, 3) << "a call that fails does nothing";
  EXPECT_EQ(take_last_error(), 207001);
  uint64_t count = 0;
  EXPECT_TRUE(count_of("aclInit", count));
  EXPECT_EQ(count, 4u) << "failed calls count too";
}

TEST_F(Inject, FailsEveryCallUntilCleared) {
  EXPECT_EQ(add_failure({.function = "aclInit", .nth = 0, .code = 507000}), "");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(table_.aclInit(nullptr), 507000);
  clear_failures();
  EXPECT_EQ(table_.aclInit(nullptr), 42);
}

TEST_F(Inject, CountsFromNowWhenARuleIsAdded) {
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(add_failure({.function = "aclInit", .nth = 1, .code = 1}), "");
  EXPECT_EQ(table_.aclInit(nullptr), 1);
}

TEST_F(Inject, RulesAddUp) {
  EXPECT_EQ(add_failure({.function = "aclInit", .nth = 1, .code = 11}), "");
  EXPECT_EQ(add_failure({.function = "aclInit", .nth = 2, .code = 22}), "");
  EXPECT_EQ(table_.aclInit(nullptr), 11);
  EXPECT_EQ(table_.aclInit(nullptr), 22);
  EXPECT_EQ(table_.aclInit(nullptr), 42);
}

TEST_F(Inject, GivesNullWhereThereIsNoCode) {
  EXPECT_STREQ(table_.aclrtGetSocName(), "below");
  EXPECT_EQ(add_failure({.function = "aclrtGetSocName", .nth = 1, .code = 107000}), "");
  EXPECT_EQ(table_.aclrtGetSocName(), nullptr);
}

TEST_F(Inject, FailsWithAProbabilityThatFollowsFromItsSeed) {
  FailureRule half;
  half.function = "aclInit";
  half.millionths = 500000;
  half.seed = 3;
  half.code = 1;
  const auto failures = [&] {
    clear_failures();
    EXPECT_EQ(add_failure(half), "");
    std::vector<aclError> codes;
    for (int i = 0; i < 64; ++i)
      codes.push_back(table_.aclInit(nullptr));
    return codes;
  };
  const std::vector<aclError> once = failures();
  EXPECT_EQ(once, failures());
  half.seed = 4;
  EXPECT_NE(once, failures());
}

TEST_F(Inject, CountsTasksApartFromCalls) {
  FailureRule second;
  second.function = "aclInit";
  second.nth = 2;
  second.is_at_run = true;
  second.code = 5;
  EXPECT_EQ(add_failure(second), "");
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_EQ(table_.aclInit(nullptr), 42);
  EXPECT_TRUE(strike_task("aclInit", 0).is_none());
  EXPECT_EQ(strike_task("aclInit", 0).code, 5);
  EXPECT_TRUE(strike_task("aclInit", 0).is_none());
  EXPECT_TRUE(strike_task("aclNothing", 0).is_none());
}

TEST_F(Inject, RefusesRulesThatTheFunctionCannotFollow) {
  FailureRule damaging;
  damaging.function = "aclInit";
  damaging.nth = 1;
  damaging.damages_memory = true;
  EXPECT_NE(add_failure(damaging), "");
  damaging.function = "aclrtMalloc";
  EXPECT_EQ(add_failure(damaging), "");
  FailureRule of_stream;
  of_stream.function = "aclrtMalloc";
  of_stream.stream = 1;
  of_stream.code = 1;
  EXPECT_NE(add_failure(of_stream), "");
  of_stream.function = "aclrtMemcpyAsync";
  EXPECT_EQ(add_failure(of_stream), "");
}

TEST_F(Inject, RefusesUnknownNames) {
  EXPECT_NE(add_failure({.function = "aclrtNothing", .nth = 1, .code = 1}), "");
}

}  // namespace
}  // namespace ferry::layers::inject
