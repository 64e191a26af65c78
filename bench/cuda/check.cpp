// SPDX-License-Identifier: Apache-2.0
// Check: what do copies on a GPU cost under the checker? Streams must stay asynchronous: a
// submission to a busy stream returns at once, and copies on two streams overlap. Each case runs in
// two children in turns, without the checker and with it.
#include "bench/cuda/questions.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ferry::bench::cuda {
namespace {

struct CheckCase {
  std::string what;
  Job job;
  Target target;
};

constexpr size_t kCopy = size_t{1} << 20;  // bytes

std::vector<CheckCase> speed_cases(Effort effort) {
  const size_t copies = effort == Effort::kQuick ? 8 : 256;
  std::vector<CheckCase> cases;
  for (const bool is_in : {true, false}) {
    cases.push_back({fmt::format("{} x 1M {}, one by one", copies, is_in ? "in" : "out"),
                     {Job::Way::kOneByOne, is_in, copies, kCopy},
                     at_least(0.7)});
  }
  cases.push_back({fmt::format("{} x 1M in and out, two streams", copies),
                   {Job::Way::kBothWays, true, copies, kCopy},
                   at_least(0.6)});  // one thread submits both, so the second stream starts late
  return cases;
}

CheckCase busy_case(Effort effort) {
  const size_t bytes = (effort == Effort::kQuick ? size_t{16} : size_t{256}) << 20;
  return {fmt::format("{} in, submit to a busy stream", block_text(bytes)),
          {Job::Way::kTwiceUnwaited, true, 1, bytes},
          below(200, "us")};
}

// The child without the checker comes first, then the one with it and the default schedule.
Times measure(const Setup& setup, const CheckCase& asked) {
  setup.show_progress(asked.what);
  std::vector<Turn> turns;
  for (size_t i = 0; i < 2; ++i) {
    turns.push_back([&setup, &asked, i](const Length& length) {
      return setup.check_children[i]->measure(asked.job, length);
    });
  }
  return take_turns(turns, setup.pace);
}

Row row_of(const CheckCase& asked, const Times& times) {
  Row row;
  row.what = asked.what;
  row.baseline_name = "unchecked";
  row.ratio = ratio_of(times[0], times[1]);
  row.target = asked.target;
  return row;
}

void ask_speed(const Setup& setup, const CheckCase& asked) {
  const Times times = measure(setup, asked);
  const bool is_both = asked.job.way == Job::Way::kBothWays;
  const size_t bytes = asked.job.count * asked.job.block_bytes * (is_both ? 2 : 1);
  Row row = row_of(asked, times);
  row.unit = "GB/s";
  row.measured = speed_of(bytes, times[1]);
  row.baseline = speed_of(bytes, times[0]);
  row.judged = row.ratio->median;
  setup.add(row);
}

// A fixed number of iterations: to fill a time with submissions alone would take thousands, each
// with a long wait behind it.
Times measure_submissions(const Setup& setup, const CheckCase& asked) {
  constexpr Length kLength{.seconds = 0, .iterations = 20};
  setup.show_progress(asked.what);
  Times times(2);
  for (size_t round = 0; round < setup.pace.rounds; ++round) {
    for (size_t i = 0; i < times.size(); ++i)
      times[i].push_back(setup.check_children[i]->measure(asked.job, kLength).seconds);
  }
  return times;
}

void ask_submission(const Setup& setup, const CheckCase& asked) {
  constexpr double kMicroseconds = 1e6 / 2;  // two submissions
  const Times times = measure_submissions(setup, asked);
  Row row = row_of(asked, times);
  row.unit = "us per copy";
  row.measured = median(times[1]) * kMicroseconds;
  row.baseline = median(times[0]) * kMicroseconds;
  row.judged = row.measured;
  setup.add(row);
}

}  // namespace

void ask_check(const Setup& setup, Ground& /*ground*/) {
  for (const CheckCase& asked : speed_cases(setup.effort))
    ask_speed(setup, asked);
  ask_submission(setup, busy_case(setup.effort));
}

}  // namespace ferry::bench::cuda
