// SPDX-License-Identifier: Apache-2.0
// A row of the results, and whether it met its target. report.cpp formats rows.
#pragma once

#include "bench/bench.h"
#include "bench/statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry::bench {

struct Target {
  enum class Sense { kAtLeast, kAtMost, kBelow };
  Sense sense;
  double limit;
  std::string text;  // ">= 0.95", "< 200 ns"
};

Target at_least(double ratio);
Target at_most(double ratio);
Target below(double limit, const std::string& unit);

struct Row {
  std::string question;
  std::string what;
  std::string unit;                // of measured and baseline
  std::optional<double> measured;  // medians
  std::optional<double> baseline;
  std::string baseline_name;
  std::optional<Summary> ratio;  // of speeds or of times, whichever the target limits
  std::optional<Target> target;
  std::optional<double> judged;  // the number that the target limits
  std::string skipped;           // why there is no number; "" otherwise
};

enum class Verdict { kNone, kMet, kMissed, kSkipped };

/// A target whose number is missing or NaN counts as missed, unless the row says why it was
/// skipped.
Verdict judge(const Row& row);
const char* verdict_text(Verdict verdict);

/// One line per row that missed its target: the row, its number, the target.
std::vector<std::string> missed_of(const std::vector<Row>& rows);

/// Of a run in which every byte was right.
int exit_code(const std::vector<Row>& rows, OnMiss on_miss);

}  // namespace ferry::bench
