// SPDX-License-Identifier: Apache-2.0
// Races: several ways to do the same thing, measured in turns, round by round, so that disturbances
// of the machine affect all of them alike.
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
  double seconds;  // the least time one contender is measured for in a round
};

/// How long a round lasts: `iterations` of them or, when that is 0, as many as fill `seconds`.
struct Length {
  double seconds;
  int64_t iterations;
};

struct Round {
  int64_t iterations;
  double seconds;  // per iteration
};
Round run_round(const Contender& contender, const Length& length);

/// Seconds per iteration, for each contender and round.
using Times = std::vector<std::vector<double>>;

/// Runs each contender once, then one round to find the number of iterations, then the rounds that
/// count. Every other round runs in reverse order.
Times race(const std::vector<Contender>& contenders, const Pace& pace);

/// The same for rounds that run in another process.
using Turn = std::function<Round(const Length&)>;
Times take_turns(const std::vector<Turn>& turns, const Pace& pace);

}  // namespace ferry::bench
