// SPDX-License-Identifier: Apache-2.0
// What differs between two traces.
#pragma once

#include "report/sections.h"
#include "report/summary.h"
#include "trace/trace.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ferry::tools::report {

struct Side {
  const std::string& file;
  const trace::Trace& trace;
  const Summary& summary;
};

enum class Unit : uint8_t { kTime, kBytes, kCount, kRate };

struct Difference {
  std::string group;  // "total", "directions", "sites"; stable, for machines
  std::string name;   // of the direction or site
  std::string what;   // "time", "bytes"
  Unit unit = Unit::kTime;
  double first = 0;
  double second = 0;

  /// 0 when there is nothing to compare with.
  double ratio() const { return first > 0 ? second / first : 0; }
};

/// Totals first; then directions and sites, each with what has changed most first.
std::vector<Difference> differences_of(const Side& first, const Side& second);

std::vector<Section> sections_of(const std::vector<Difference>& differences, size_t top);
nlohmann::ordered_json json_of(const Side& first, const Side& second,
                               const std::vector<Difference>& differences);

}  // namespace ferry::tools::report
