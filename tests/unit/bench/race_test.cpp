// SPDX-License-Identifier: Apache-2.0
// What a round runs, and in which order; how long it takes is not tested.
#include "bench/race.h"

#include <gtest/gtest.h>

#include <string>

namespace ferry::bench {
namespace {

TEST(Race, ARoundRunsAsOftenAsItIsTold) {
  std::string calls;
  const Contender contender{"x", [&] { calls += 'o'; }, [&] { calls += 's'; },
                            [&] { calls += '<'; }, [&] { calls += '>'; }};
  const Round round = run_round(contender, {1, 3});
  EXPECT_EQ(calls, "<ososos>");
  EXPECT_EQ(round.iterations, 3);
  EXPECT_GE(round.seconds, 0);
}

TEST(Race, ARoundWithoutANumberFillsItsTime) {
  constexpr double kSeconds = 0.001;
  int64_t calls = 0;
  const Contender contender{"x", [&] { ++calls; }};
  const Round round = run_round(contender, {kSeconds, 0});
  EXPECT_GE(round.seconds * static_cast<double>(round.iterations), kSeconds * 0.999);
  EXPECT_GT(round.iterations, 1);
  EXPECT_GE(calls, round.iterations);
}

// As in quick runs of large copies.
TEST(Race, NoTimeIsOneIteration) {
  int64_t calls = 0;
  const Round round = run_round({"x", [&] { ++calls; }}, {0, 0});
  EXPECT_EQ(round.iterations, 1);
  EXPECT_EQ(calls, 1);
}

TEST(Race, EveryOtherRoundIsInReverseOrder) {
  std::string order;
  const auto turn = [&](char name) {
    return [&order, name](const Length& length) {
      order += name;
      return Round{length.iterations == 0 ? 7 : length.iterations, 1};
    };
  };
  const Times times = take_turns({turn('a'), turn('b')}, {3, 0.1});
  EXPECT_EQ(order, "aabbabbaab");
  EXPECT_EQ(times[0].size(), 3u);
  EXPECT_EQ(times[1].size(), 3u);
}

}  // namespace
}  // namespace ferry::bench
