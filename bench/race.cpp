// SPDX-License-Identifier: Apache-2.0
// Google Benchmark provides the loop and the clock. The order of the runs is ours: its own
// interleaving puts the runs of a round far apart, so rounds could not be compared one by one.
#include "bench/race.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace ferry::bench {
namespace {

// Keeps the last reported run and prints nothing.
class Recorder : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    iterations_ = runs.front().iterations;
    seconds_ = runs.front().real_accumulated_time;
  }
  benchmark::IterationCount iterations() const { return iterations_; }
  double seconds_an_iteration() const { return seconds_ / static_cast<double>(iterations_); }

 private:
  benchmark::IterationCount iterations_ = 1;
  double seconds_ = 0;
};

void measure(const Contender& contender, benchmark::State& state) {
  if (!contender.settle) {
    for ([[maybe_unused]] auto iteration : state)
      contender.once();
    return;
  }
  for ([[maybe_unused]] auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    contender.once();
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
    contender.settle();
  }
}

benchmark::internal::Benchmark* enter(const Contender& contender) {
  benchmark::internal::Benchmark* entry = benchmark::RegisterBenchmark(
      "contender", [&contender](benchmark::State& state) { measure(contender, state); });
  return contender.settle ? entry->UseManualTime() : entry->UseRealTime();
}

}  // namespace

Round run_round(const Contender& contender, const Length& length) {
  benchmark::internal::Benchmark* entry = enter(contender);
  if (length.iterations == 0) {
    entry->MinTime(length.seconds);
  } else {
    entry->Iterations(length.iterations);
  }
  Recorder recorder;
  if (contender.before) contender.before();
  benchmark::RunSpecifiedBenchmarks(&recorder);
  benchmark::ClearRegisteredBenchmarks();
  if (contender.after) contender.after();
  return {recorder.iterations(), recorder.seconds_an_iteration()};
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
