// SPDX-License-Identifier: Apache-2.0
// Check: what do copies cost under the checker? Each case runs in three children in turns: without
// it, with it by default (lazy), and with it under the eager schedule. Eager has no target: a
// polling copy thread has to be interrupted whenever pages are closed.
#include "bench/measuring_child.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace ferry::bench {
namespace {

constexpr const char* kDefaultSchedule = "lazy";

struct CheckCase {
  std::string what;
  Job job;
  enum class Unit { kMicroseconds, kMilliseconds, kSpeed } unit;
  Target target;
};

CheckCase copy_case(size_t bytes, bool is_in) {
  return {fmt::format("{} {}", block_text(bytes), is_in ? "in" : "out"),
          {Job::Way::kOneByOne, is_in, 1, bytes},
          CheckCase::Unit::kSpeed,
          at_least(0.5)};
}

CheckCase batch_case(size_t count, size_t bytes, bool is_in) {
  return {fmt::format("{} x {} {}", count, block_text(bytes), is_in ? "in" : "out"),
          {Job::Way::kBatch, is_in, count, bytes},
          CheckCase::Unit::kMilliseconds,
          below(10, "ms")};
}

std::vector<CheckCase> cases_of(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const size_t large = (is_quick ? size_t{1} : size_t{64}) << 20;
  const size_t items = is_quick ? 256 : 4096;
  std::vector<CheckCase> cases{{"64 B, copy and wait",
                                {Job::Way::kOneByOne, true, 1, 64},
                                CheckCase::Unit::kMicroseconds,
                                below(15, "us")}};
  for (const bool is_in : {true, false})
    cases.push_back(copy_case(large, is_in));
  if (!has_batch_copies()) return cases;
  for (const size_t bytes : {size_t{512}, size_t{4096}}) {
    for (const bool is_in : {true, false})
      cases.push_back(batch_case(items, bytes, is_in));
  }
  return cases;
}

Row row_of(const CheckCase& asked, const std::string& schedule, const std::vector<double>& checked,
           const std::vector<double>& unchecked) {
  Row row;
  row.what = fmt::format("{}, {}", asked.what, schedule);
  row.baseline_name = "unchecked";
  row.ratio = ratio_of(unchecked, checked);
  if (schedule == kDefaultSchedule) row.target = asked.target;
  if (asked.unit == CheckCase::Unit::kSpeed) {
    const size_t bytes = asked.job.count * asked.job.block_bytes;
    row.unit = "GB/s";
    row.measured = speed_of(bytes, checked);
    row.baseline = speed_of(bytes, unchecked);
    row.judged = row.ratio->median;
    return row;
  }
  const bool is_micro = asked.unit == CheckCase::Unit::kMicroseconds;
  const double scale = is_micro ? 1e6 : 1e3;
  row.unit = is_micro ? "us per copy" : "ms per batch";
  row.measured = median(checked) * scale;
  row.baseline = median(unchecked) * scale;
  row.judged = row.measured;
  return row;
}

}  // namespace

CheckChildren start_check_children() {
  const auto start = [](const char* name, const char* check, const char* schedule) {
    return std::make_unique<MeasuringChild>(
        name, std::vector<MeasuringChild::Variable>{{"FERRY_CHECK", check},
                                                    {"FERRY_SCHEDULE", schedule},
                                                    {"FERRY_MUTE", nullptr},
                                                    {"FERRY_REPORT", nullptr},
                                                    {"FERRY_SUPPRESSIONS", nullptr}});
  };
  CheckChildren children;
  children.push_back(start("unchecked", nullptr, nullptr));
  children.push_back(start(kDefaultSchedule, "1", nullptr));
  children.push_back(start("eager", "1", "eager"));
  return children;
}

void ask_check(const Setup& setup) {
  for (const CheckCase& asked : cases_of(setup.effort)) {
    setup.show_progress(asked.what);
    std::vector<Turn> turns;
    for (const auto& child : setup.check_children)
      turns.push_back([&](const Length& length) { return child->measure(asked.job, length); });
    const Times times = take_turns(turns, setup.pace);
    for (size_t i = 1; i < times.size(); ++i)
      setup.add(row_of(asked, setup.check_children[i]->name(), times[i], times.front()));
  }
}

}  // namespace ferry::bench
