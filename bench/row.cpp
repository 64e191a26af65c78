// SPDX-License-Identifier: Apache-2.0
// Targets and verdicts.
#include "bench/row.h"

#include <fmt/format.h>

#include <limits>

namespace ferry::bench {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Target at_least(double ratio) {
  return {Target::Sense::kAtLeast, ratio, fmt::format(">= {:g}", ratio)};
}

Target at_most(double ratio) {
  return {Target::Sense::kAtMost, ratio, fmt::format("<= {:g}", ratio)};
}

Target below(double limit, const std::string& unit) {
  return {Target::Sense::kBelow, limit, fmt::format("< {:g} {}", limit, unit)};
}

Verdict judge(const Row& row) {
  if (!row.skipped.empty()) return Verdict::kSkipped;
  if (!row.target) return Verdict::kNone;
  if (!row.judged) return Verdict::kMissed;
  const double limit = row.target->limit;
  const double value = *row.judged;
  bool is_met = false;
  switch (row.target->sense) {
    case Target::Sense::kAtLeast:
      is_met = value >= limit;
      break;
    case Target::Sense::kAtMost:
      is_met = value <= limit;
      break;
    case Target::Sense::kBelow:
      is_met = value < limit;
      break;
  }
  return is_met ? Verdict::kMet : Verdict::kMissed;
}

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNone:
      return "";
    case Verdict::kMet:
      return "met";
    case Verdict::kMissed:
      return "missed";
    case Verdict::kSkipped:
      return "skipped";
  }
  return "";
}

std::vector<std::string> missed_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (judge(row) != Verdict::kMissed) continue;
    const std::string against = row.baseline_name.empty() ? "" : " (" + row.baseline_name + ")";
    names.push_back(fmt::format("{}: {}{}: {:.3g}, target {}", row.question, row.what, against,
                                row.judged.value_or(kNotANumber), row.target->text));
  }
  return names;
}

int exit_code(const std::vector<Row>& rows, OnMiss on_miss) {
  return on_miss == OnMiss::kFail && !missed_of(rows).empty() ? 1 : 0;
}

}  // namespace ferry::bench
