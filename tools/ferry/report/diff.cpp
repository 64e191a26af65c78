// SPDX-License-Identifier: Apache-2.0
// Pairs the rows of two summaries by name.
#include "report/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace ferry::tools::report {
namespace {

using Json = nlohmann::ordered_json;

// What is compared of each row; both sides of a row that only one has are there.
struct Numbers {
  double count = 0;
  double bytes = 0;
  double time = 0;  // of execution
  double busy = 0;
  double host = 0;  // in calls

  double gbps() const { return busy > 0 ? bytes / busy : 0; }
};
using Pair = std::pair<Numbers, Numbers>;
using Pairs = std::map<std::string, Pair>;

Numbers numbers_of(const Tally& tally) {
  return {.count = static_cast<double>(tally.items),
          .bytes = static_cast<double>(tally.bytes),
          .time = static_cast<double>(tally.time),
          .busy = static_cast<double>(tally.busy),
          .host = 0};
}

void add(Numbers& sum, const Numbers& more) {
  sum.count += more.count;
  sum.bytes += more.bytes;
  sum.time += more.time;
  sum.busy += more.busy;
  sum.host += more.host;
}

void collect(const Side& side, Numbers Pair::*member, Pairs& directions, Pairs& sites) {
  for (const DirectionRow& row : side.summary.directions) {
    const std::string memory = name_of(row.memory);
    const std::string name =
        name_of(row.direction) + (memory.empty() ? std::string() : " " + memory);
    add(directions[name].*member, numbers_of(row.tally));
  }
  for (const SiteRow& row : side.summary.sites) {
    Numbers numbers = numbers_of(row.tally);
    numbers.count = static_cast<double>(row.calls);
    numbers.host = static_cast<double>(row.host);
    const std::string& function = side.trace.texts.text_of(row.function);
    add(sites[fmt::format("{}  {}", function, row.place.text)].*member, numbers);
  }
}

void add_pairs(const Pairs& pairs, const char* group, std::vector<Difference>& differences) {
  std::vector<const Pairs::value_type*> order;
  for (const Pairs::value_type& pair : pairs)
    order.push_back(&pair);
  const auto change = [](const Pairs::value_type* entry) {
    const auto& [first, second] = entry->second;
    return std::abs(second.time + second.host - first.time - first.host);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&change](const auto* a, const auto* b) { return change(a) > change(b); });
  const bool is_sites = std::string_view(group) == "sites";
  for (const Pairs::value_type* entry : order) {
    const auto& [name, pair] = *entry;
    const auto& [a, b] = pair;
    const auto add_row = [&, &row_name = name](const char* what, Unit unit, double first,
                                               double second) {
      if (first == 0 && second == 0) return;
      differences.push_back({group, row_name, what, unit, first, second});
    };
    add_row(is_sites ? "calls" : "copies", Unit::kCount, a.count, b.count);
    add_row("in calls", Unit::kTime, a.host, b.host);
    add_row("bytes", Unit::kBytes, a.bytes, b.bytes);
    add_row("time", Unit::kTime, a.time, b.time);
    add_row("GB/s", Unit::kRate, a.gbps(), b.gbps());
  }
}

std::string value_text(Unit unit, double value) {
  if (value == 0) return "";
  switch (unit) {
    case Unit::kTime:
      return time_text(static_cast<int64_t>(std::min(value, 9e18)));
    case Unit::kBytes:
      return size_text(static_cast<uint64_t>(std::min(value, 9e18)));
    case Unit::kCount:
      return count_text(static_cast<uint64_t>(std::min(value, 9e18)));
    case Unit::kRate:
      return rate_text(value);
  }
  return "";
}

const char* title_of(const std::string& group) {
  if (group == "total") return "In all";
  return group == "directions" ? "By direction and memory of the host" : "By call site";
}

}  // namespace

std::vector<Difference> differences_of(const Side& first, const Side& second) {
  const Summary& a = first.summary;
  const Summary& b = second.summary;
  std::vector<Difference> all;
  const auto total = [&all](const char* what, Unit unit, auto from, auto to) {
    all.push_back({"total", "", what, unit, static_cast<double>(from), static_cast<double>(to)});
  };
  total("time", Unit::kTime, a.span(), b.span());
  total("calls", Unit::kCount, a.calls, b.calls);
  total("in calls", Unit::kTime, a.in_calls, b.in_calls);
  total("blocked", Unit::kTime, a.blocked, b.blocked);
  total("copies", Unit::kCount, a.copies.items, b.copies.items);
  total("bytes", Unit::kBytes, a.copies.bytes, b.copies.bytes);
  total("copying", Unit::kTime, a.copies.busy, b.copies.busy);
  total("GB/s", Unit::kRate, a.copies.gbps(), b.copies.gbps());
  Pairs directions;
  Pairs sites;
  collect(first, &Pair::first, directions, sites);
  collect(second, &Pair::second, directions, sites);
  add_pairs(directions, "directions", all);
  add_pairs(sites, "sites", all);
  return all;
}

std::vector<Section> sections_of(const std::vector<Difference>& differences, size_t top) {
  std::vector<Section> sections;
  std::string group;
  std::string name;
  size_t names = 0;
  for (const Difference& difference : differences) {
    if (difference.group != group) {
      group = difference.group;
      names = 0;
      name.clear();
      sections.push_back(
          {.title = title_of(group),
           .columns =
               {{"before", true}, {"after", true}, {"ratio", true}, {"what", false}, {"", false}},
           .rows = {},
           .notes = {}});
    }
    const bool is_new = difference.name != name;
    if (is_new) ++names;
    name = difference.name;
    if (names > top) continue;
    const double ratio = difference.ratio();
    sections.back().rows.push_back({value_text(difference.unit, difference.first),
                                    value_text(difference.unit, difference.second),
                                    ratio > 0 ? fmt::format("{:.2f}", ratio) : "", difference.what,
                                    is_new ? printable(name) : ""});
  }
  return sections;
}

Json json_of(const Side& first, const Side& second, const std::vector<Difference>& differences) {
  Json json{{"schema", "ferry-diff-1"}, {"before", first.file}, {"after", second.file}};
  json["differences"] = Json::array();
  for (const Difference& difference : differences) {
    Json row{{"group", difference.group}, {"name", difference.name}, {"what", difference.what}};
    constexpr const char* kUnits[] = {"ns", "bytes", "count", "GB/s"};
    row["unit"] = kUnits[static_cast<size_t>(difference.unit)];
    row["before"] = difference.first;
    row["after"] = difference.second;
    row["ratio"] = difference.ratio() > 0 ? Json(difference.ratio()) : Json();
    json["differences"].push_back(std::move(row));
  }
  return json;
}

}  // namespace ferry::tools::report
