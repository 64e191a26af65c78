// SPDX-License-Identifier: Apache-2.0
// A contender is a function that the compiler does not see, so it cannot move what is measured.
#include "bench/race.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace ferry::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds for all iterations, without those that settle takes.
double measure(const Contender& contender, int64_t iterations) {
  double seconds = 0;
  if (!contender.settle) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < iterations; ++i)
      contender.once();
    return seconds_since(start);
  }
  for (int64_t i = 0; i < iterations; ++i) {
    const auto start = Clock::now();
    contender.once();
    seconds += seconds_since(start);
    contender.settle();
  }
  return seconds;
}

// Measures more and more iterations, until they fill the time. A short measurement says little
// about a long one, so each step is at most tenfold.
Round fill(const Contender& contender, double least_seconds) {
  constexpr int64_t kMost = 1'000'000'000;
  constexpr double kLargestStep = 10;
  constexpr double kMargin = 1.4;  // so that the next measurement is rarely a little too short
  for (int64_t iterations = 1;;) {
    const double seconds = measure(contender, iterations);
    if (seconds >= least_seconds || iterations >= kMost) {
      return {iterations, seconds / static_cast<double>(iterations)};
    }
    const double step = seconds * kLargestStep > least_seconds * kMargin
                            ? least_seconds * kMargin / seconds
                            : kLargestStep;
    const auto next = static_cast<int64_t>(static_cast<double>(iterations) * step);
    iterations = std::clamp(next, iterations + 1, kMost);
  }
}

}  // namespace

Round run_round(const Contender& contender, const Length& length) {
  if (contender.before) contender.before();
  Round round{length.iterations, 0};
  if (length.iterations == 0) {
    round = fill(contender, length.seconds);
  } else {
    round.seconds = measure(contender, length.iterations) / static_cast<double>(length.iterations);
  }
  if (contender.after) contender.after();
  return round;
}

Times take_turns(const std::vector<Turn>& turns, const Pace& pace) {
  std::vector<int64_t> iterations;
  iterations.reserve(turns.size());
  for (const Turn& turn : turns) {
    turn({pace.seconds, 1});  // gets one-time work, such as calibration, out of the way
    iterations.push_back(turn({pace.seconds, 0}).iterations);
  }
  std::vector<size_t> order(turns.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Times times(turns.size());
  for (size_t round = 0; round < pace.rounds; ++round) {
    for (const size_t i : order)
      times[i].push_back(turns[i]({pace.seconds, iterations[i]}).seconds);
    std::reverse(order.begin(), order.end());
  }
  return times;
}

Times race(const std::vector<Contender>& contenders, const Pace& pace) {
  std::vector<Turn> turns;
  turns.reserve(contenders.size());
  for (const Contender& contender : contenders)
    turns.push_back([&](const Length& length) { return run_round(contender, length); });
  return take_turns(turns, pace);
}

}  // namespace ferry::bench
