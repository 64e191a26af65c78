// SPDX-License-Identifier: Apache-2.0
// Turns times into rows.
#include "bench/question.h"

#include <fmt/format.h>

namespace ferry::bench {

double speed_of(size_t bytes, const std::vector<double>& seconds) {
  return static_cast<double>(bytes) / median(seconds) / 1e9;
}

Row speed_row(const std::string& what, size_t bytes, const std::vector<Contender>& contenders,
              const Times& times, size_t first_raw) {
  const Times raw(times.begin() + static_cast<ptrdiff_t>(first_raw), times.end());
  const size_t best = first_raw + fastest_of(raw);
  Row row;
  row.what = what;
  row.unit = "GB/s";
  row.measured = speed_of(bytes, times.front());
  row.baseline = speed_of(bytes, times[best]);
  row.baseline_name = contenders[best].name;
  row.ratio = ratio_of(times[best], times.front());
  row.judged = row.ratio->median;
  return row;
}

std::string block_text(size_t bytes) {
  if (bytes >= size_t{1} << 20) return fmt::format("{}M", bytes >> 20);
  return bytes >= 1024 ? fmt::format("{}K", bytes >> 10) : fmt::format("{}", bytes);
}

Row skipped_row(const std::string& why) {
  Row row;
  row.what = "all";
  row.skipped = why;
  return row;
}

}  // namespace ferry::bench
