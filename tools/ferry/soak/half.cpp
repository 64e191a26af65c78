// SPDX-License-Identifier: Apache-2.0
// Threads, rounds and samples.
#include "soak/half.h"

#include "commands.h"
#include "soak/growth.h"
#include "soak/holdings.h"
#include "soak/must.h"
#include "soak/progress.h"
#include "soak/round.h"
#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace ferry::tools::soak {
namespace {

using Clock = std::chrono::steady_clock;

// Caches, pools and tables reach their size in this part of the time.
constexpr int kWarmUpDivisor = 4;
constexpr uint64_t kWarmUpRounds = 8;
// Enough for steady medians. Fixed, so that the list itself does not grow.
constexpr size_t kSamples = 256;
constexpr size_t kLeastSamples = 4;  // a slow machine gets more time until it has these

void run_threads(uint32_t workers, int32_t devices) {
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (uint32_t i = 0; i < workers; ++i)
    threads.emplace_back(run_round, static_cast<int32_t>(i) % devices);
  for (std::thread& thread : threads)
    thread.join();
  for (int32_t device = 0; device < devices; ++device)
    run_alone(device);
}

// The samples that were taken after the warm-up.
std::vector<Sample> run_rounds(const Half& half, int32_t devices, uint64_t& rounds) {
  std::vector<Sample> samples;
  samples.reserve(kSamples);
  Progress progress(name_of(half.checker), half.length);
  const Clock::time_point start = Clock::now();
  const Clock::time_point end = start + half.length;
  const auto warm_up = half.length / kWarmUpDivisor;
  const auto interval = (half.length - warm_up) / kSamples;
  Clock::time_point next = start + warm_up;
  for (rounds = 0; Clock::now() < end || samples.size() < kLeastSamples;) {
    run_threads(half.workers, devices);
    const Sample sample{++rounds, present_holdings(devices)};
    progress.show(sample);
    if (rounds < kWarmUpRounds || Clock::now() < next || samples.size() == kSamples) continue;
    samples.push_back(sample);
    next += interval;
  }
  clear_progress();
  return samples;
}

void print_table(const std::vector<Sample>& samples) {
  Table table({"", "after the warm-up", "at the end", "per round", ""});
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    const Growth growth = growth_of(kind, samples);
    table.add({kKinds[kind].name, amount_text(kKinds[kind], growth.before),
               amount_text(kKinds[kind], growth.after), amount_text(kKinds[kind], growth.per_round),
               growth.is_leak ? Cell("grows", Paint::kBad) : Cell("flat", Paint::kGood)});
  }
  fmt::print("{}", table.text());
  std::fflush(stdout);
}

// Returns the exit code.
int judge(const Half& half, const std::vector<Sample>& samples) {
  int code = kExitSuccess;
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    const Growth growth = growth_of(kind, samples);
    if (!growth.is_leak) continue;
    complain(kSoakName,
             fmt::format("{}: {} grew from {} to {}, {} per round", name_of(half.checker),
                         kKinds[kind].name, amount_text(kKinds[kind], growth.before),
                         amount_text(kKinds[kind], growth.after),
                         amount_text(kKinds[kind], growth.per_round)));
    code = kExitFailure;
  }
  const uint64_t findings = half.checker == Checker::kOn ? ferryCheckCount(nullptr) : 0;
  if (findings != 0) {
    complain(
        kSoakName,
        fmt::format("the checker reported {} errors in a correct program; see above", findings));
    code = kExitFailure;
  }
  return code;
}

}  // namespace

const char* name_of(Checker checker) {
  return checker == Checker::kOn ? "with the checker" : "without the checker";
}

int run_half(const Half& half) {
  must(aclInit(nullptr));
  uint32_t devices = 0;
  must(aclrtGetDeviceCount(&devices));
  uint64_t rounds = 0;
  const Clock::time_point start = Clock::now();
  const std::vector<Sample> samples = run_rounds(half, static_cast<int32_t>(devices), rounds);
  const auto time = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
  fmt::print("{}: {} rounds of {} threads in {}\n", name_of(half.checker), rounds, half.workers,
             time_text(time));
  print_table(samples);
  const int code = judge(half, samples);
  must(aclFinalize());
  return code;
}

}  // namespace ferry::tools::soak
