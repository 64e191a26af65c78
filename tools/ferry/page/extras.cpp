// SPDX-License-Identifier: Apache-2.0
#include "page/extras.h"

#include "report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ferry::tools::page {
namespace {

constexpr size_t kRows = 100;  // of each table

// The page makes tables of these itself, which follow its filters, and a list of the findings; it
// shows stacks with each call.
constexpr std::string_view kOwnTables[] = {"Copies by direction and memory of the host",
                                           "Copies by size",
                                           "Streams",
                                           "Call sites",
                                           "Stacks of the call sites",
                                           "Findings of the checker"};

Table table_of(const report::Section& section) {
  Table table;
  table.title = section.title;
  for (const report::Column& column : section.columns) {
    table.columns.push_back(column.head);
  }
  for (const std::vector<Cell>& row : section.rows) {
    std::vector<std::string>& texts = table.rows.emplace_back();
    for (const Cell& cell : row) {
      texts.push_back(cell.text);
    }
  }
  table.notes = section.notes;
  return table;
}

std::vector<Table> tables_of(const trace::Trace& trace, const report::Summary& summary) {
  std::vector<Table> tables;
  for (const report::Section& section : report::sections_of(trace, summary, kRows)) {
    if (std::count(std::begin(kOwnTables), std::end(kOwnTables), section.title) != 0) continue;
    tables.push_back(table_of(section));
    if (!section.title.starts_with("Longest times")) continue;
    for (size_t i = 0; i < std::min(section.rows.size(), summary.gaps.size()); ++i) {
      tables.back().times.push_back({summary.gaps[i].begin, summary.gaps[i].end});
    }
  }
  return tables;
}

std::string place_text(const advice::Place& place, const Extras& extras) {
  std::string where = place.script;
  if (where.empty() && place.site != 0) {
    const auto known = extras.sites.find(place.site);
    where = known != extras.sites.end() ? known->second : fmt::format("{:#x}", place.site);
  }
  std::string text =
      where.empty() ? place.function : fmt::format("{} in {}", place.function, where);
  if (place.calls > 1) text += fmt::format(" ({} calls)", report::count_text(place.calls));
  return text;
}

Advice advice_of(const advice::Advice& advice, const Extras& extras) {
  Advice shown;
  shown.title = advice.title;
  shown.text = advice.text;
  shown.to_do = advice.to_do;
  shown.hint = advice.hint;
  for (const advice::Place& place : advice.places) {
    shown.places.push_back(place_text(place, extras));
  }
  shown.gain = "saves " + advice::gain_text(advice);
  shown.works = advice.evidence.works;
  shown.calls = advice.evidence.calls;
  return shown;
}

}  // namespace

Extras extras_of(const trace::Trace& trace, const report::Summary& summary,
                 const std::vector<advice::Advice>& advice) {
  Extras extras;
  for (const report::SiteRow& row : summary.sites) {
    if (row.place.address != 0) extras.sites[row.place.address] = row.place.text;
    for (const report::Place& place : row.stack)
      extras.sites[place.address] = place.text;
  }
  for (const report::Limit& limit : summary.limits.ways) {
    extras.limits.push_back({limit.direction, limit.memory, limit.gbps});
  }
  for (const advice::Advice& one : advice) {
    extras.advice.push_back(advice_of(one, extras));
  }
  extras.tables = tables_of(trace, summary);
  return extras;
}

}  // namespace ferry::tools::page
