// SPDX-License-Identifier: Apache-2.0
// Races: several ways to do the same thing, measured by Google Benchmark in turns, round by round,
// so that what disturbs the machine disturbs all of them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ferry::bench {

struct Contender {
  std::string name;
  std::function<void()> once;      // one iteration
  std::function<void()> settle{};  // optional: after each iteration, not measured
  std::function<void()> before{};  // optional: before each round, not measured
  std::function<void()> after{};   // optional: after each round, not measured; throws when the
                                   // result is wrong
};

struct Pace {
  size_t rounds;
  double seconds;  // that one contender is measured for in a round, at least
};

/// How long a round lasts: so many iterations, or, when that is 0, as many as fill the seconds.
struct Length {
  double seconds;
  int64_t iterations;
};

struct Round {
  int64_t iterations;
  double seconds;  // of one iteration
};
Round run_round(const Contender& contender, const Length& length);

/// Seconds of one iteration, round by round, for each contender.
using Times = std::vector<std::vector<double>>;

/// Runs each once, then a round to find how many iterations make one, then the rounds that count.
/// Every other round goes backwards.
Times race(const std::vector<Contender>& contenders, const Pace& pace);

/// The same for rounds that run elsewhere.
using Turn = std::function<Round(const Length&)>;
Times take_turns(const std::vector<Turn>& turns, const Pace& pace);

}  // namespace ferry::bench
