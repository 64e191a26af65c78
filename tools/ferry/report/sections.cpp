// SPDX-License-Identifier: Apache-2.0
// The tables of a report.
#include "report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ferry::tools::report {
namespace {

using trace::Trace;

double share_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string text_of(const Trace& trace, trace::TextId id) {
  return printable(trace.texts.text_of(id));
}

std::string way_text(trace::Direction direction, trace::Memory memory) {
  std::string text = name_of(direction);
  if (memory != trace::Memory::kUnknown && memory != trace::Memory::kDevice) {
    text += std::string(" ") + name_of(memory);
  }
  return text;
}

std::string stream_text(int32_t stream) {
  return stream < 0 ? "calls" : fmt::format("{}", stream);
}

// Columns that every table of tallies has.
const std::vector<Column> kTallyColumns{{"works", true, true}, {"copies", true},
                                        {"bytes", true},       {"time", true},
                                        {"GB/s", true},        {"of limit", true}};

void add_tally(std::vector<Cell>& row, const Tally& tally) {
  row.emplace_back(count_text(tally.works));
  row.emplace_back(count_text(tally.items));
  row.emplace_back(size_text(tally.bytes));
  row.emplace_back(time_text(tally.time));
  row.emplace_back(rate_text(tally.gbps()));
  row.emplace_back(share_text(tally.share()));
}

std::vector<Column> columns_with_tally(std::vector<Column> first) {
  first.insert(first.end(), kTallyColumns.begin(), kTallyColumns.end());
  return first;
}

void note_rest(Section& section, size_t all, size_t top, const char* what) {
  if (all > top) {
    section.notes.push_back(fmt::format("{} more {}; --top {} shows all", all - top, what, all));
  }
}

Section directions_of(const Summary& summary) {
  Section section{.title = "Copies by direction and memory of the host",
                  .columns = columns_with_tally({{"", false}}),
                  .rows = {},
                  .notes = {}};
  for (const DirectionRow& line : summary.directions) {
    std::vector<Cell> row{way_text(line.direction, line.memory)};
    add_tally(row, line.tally);
    section.rows.push_back(std::move(row));
  }
  if (summary.directions.size() > 1) {
    std::vector<Cell> row{Cell("all", Paint::kBold)};
    add_tally(row, summary.copies);
    section.rows.push_back(std::move(row));
  }
  if (section.rows.empty()) return section;
  if (summary.limits.ways.empty()) {
    if (!summary.limits.reason.empty()) {
      section.notes.push_back("No limit: " + summary.limits.reason);
    }
    return section;
  }
  std::string limits;
  for (const DirectionRow& line : summary.directions) {
    if (line.limit_gbps <= 0) continue;
    limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ",
                          way_text(line.direction, line.memory), rate_text(line.limit_gbps));
  }
  if (!limits.empty()) {
    section.notes.push_back(
        fmt::format("Limit: large copies in GB/s, {}: {}", summary.limits.source, limits));
  }
  return section;
}

Section sizes_of(const Summary& summary) {
  Section section{.title = "Copies by size",
                  .columns = columns_with_tally({{"from", true}}),
                  .rows = {},
                  .notes = {}};
  for (const SizeRow& line : summary.sizes) {
    std::vector<Cell> row{size_text(line.from)};
    add_tally(row, line.tally);
    section.rows.push_back(std::move(row));
  }
  return section;
}

Section streams_of(const Summary& summary, size_t top) {
  Section section{.title = "Streams",
                  .columns = {{"device", true},
                              {"stream", true},
                              {"copies", true, true},
                              {"other work", true, true},
                              {"busy", true},
                              {"of time", true},
                              {"awaiting", true, true},
                              {"bytes", true},
                              {"GB/s", true},
                              {"of limit", true}},
                  .rows = {},
                  .notes = {}};
  for (const StreamRow& line : summary.streams) {
    if (section.rows.size() == top) break;
    const Tally& tally = line.tally;
    section.rows.push_back({fmt::format("{}", line.device), stream_text(line.stream),
                            count_text(line.copies), count_text(line.others), time_text(tally.busy),
                            share_text(share_of(tally.busy, summary.span())),
                            line.awaiting > 0 ? time_text(line.awaiting) : "",
                            size_text(tally.bytes), rate_text(tally.gbps()),
                            share_text(tally.share())});
  }
  note_rest(section, summary.streams.size(), top, "streams");
  return section;
}

// Whether the stack of a call site says more than its place does.
bool has_callers(const SiteRow& row) {
  return row.stack.size() > 1;
}

Section sites_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{.title = "Call sites",
                  .columns = {{"calls", true},
                              {"in calls", true},
                              {"blocked", true},
                              {"bytes", true, true},
                              {"time", true, true},
                              {"GB/s", true, true},
                              {"of limit", true, true},
                              {"call, place", false}},
                  .rows = {},
                  .notes = {}};
  for (const SiteRow& line : summary.sites) {
    if (section.rows.size() == top) break;
    const bool has_copies = line.tally.works > 0;
    const std::string mark = has_callers(line) ? fmt::format(" [{}]", section.rows.size() + 1) : "";
    section.rows.push_back(
        {count_text(line.calls), time_text(line.host),
         line.blocked > 0 ? time_text(line.blocked) : "",
         has_copies ? size_text(line.tally.bytes) : "",
         has_copies ? time_text(line.tally.time) : "", rate_text(line.tally.gbps()),
         share_text(line.tally.share()),
         fmt::format("{}  {}{}", text_of(trace, line.function), printable(line.place.text), mark)});
  }
  note_rest(section, summary.sites.size(), top, "call sites");
  return section;
}

// The callers of the call sites above, which have the same numbers.
Section stacks_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{.title = "Stacks of the call sites",
                  .columns = {{"", true}, {"call, place, and its callers", false}},
                  .rows = {},
                  .notes = {}};
  for (size_t i = 0; i < std::min(top, summary.sites.size()); ++i) {
    const SiteRow& line = summary.sites[i];
    if (!has_callers(line)) continue;
    section.rows.push_back({fmt::format("[{}]", i + 1), text_of(trace, line.function)});
    for (const Place& place : line.stack)
      section.rows.push_back({"", "  " + printable(place.text)});
  }
  return section;
}

Section open_calls_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{
      .title = "Calls that were in progress when the trace ended",
      .columns = {{"for", true}, {"thread", true}, {"stream", true}, {"call, place", false}},
      .rows = {},
      .notes = {}};
  for (const OpenCallRow& line : summary.open_calls) {
    if (section.rows.size() == top) break;
    section.rows.push_back(
        {Cell(time_text(line.time), Paint::kBad), fmt::format("{}", line.thread),
         line.stream < 0 ? "" : fmt::format("{}", line.stream),
         fmt::format("{}  {}", text_of(trace, line.function), printable(line.place.text))});
  }
  note_rest(section, summary.open_calls.size(), top, "calls");
  return section;
}

Section blocks_of(const Trace& trace, const Summary& summary) {
  Section section{.title = "Why the host was blocked",
                  .columns = {{"time", true},
                              {"of calls", true, true},
                              {"calls", true, true},
                              {"longest", true},
                              {"why, and the longest", false}},
                  .rows = {},
                  .notes = {}};
  for (const BlockedRow& line : summary.blocks) {
    section.rows.push_back(
        {time_text(line.time), share_text(share_of(line.time, summary.in_calls)),
         count_text(line.calls), time_text(line.longest),
         fmt::format("{}: {}  {}", words_of(line.block), text_of(trace, line.longest_function),
                     printable(line.longest_place.text))});
  }
  return section;
}

Section overlaps_of(const Summary& summary, size_t top) {
  Section section{
      .title = "Streams at work at the same time",
      .columns = {{"device", true}, {"streams", true}, {"time", true}, {"of time", true}},
      .rows = {},
      .notes = {}};
  for (const OverlapRow& line : summary.overlaps) {
    if (line.streams < 2) continue;
    for (size_t count = 0; count < line.with.size(); ++count) {
      section.rows.push_back({fmt::format("{}", line.device), fmt::format("{}", count),
                              time_text(line.with[count]),
                              share_text(share_of(line.with[count], line.span))});
    }
    std::string pairs;
    for (size_t i = 0; i < std::min(top, line.never.size()); ++i) {
      const StreamPair& pair = line.never[i];
      pairs += fmt::format("{}{} and {}", i == 0 ? "" : ", ", pair.first, pair.second);
    }
    if (pairs.empty()) continue;
    if (line.never.size() > top) pairs += fmt::format(", {} more pairs", line.never.size() - top);
    section.notes.push_back(fmt::format(
        "Device {}: these streams never worked at the same time: {}", line.device, pairs));
  }
  return section;
}

Section gaps_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{.title = "Longest times in which a device had nothing to do",
                  .columns = {{"device", true},
                              {"from", true},
                              {"idle", true},
                              {"why", false},
                              {"ended by", false}},
                  .rows = {},
                  .notes = {}};
  for (const GapRow& line : summary.gaps) {
    if (section.rows.size() == top) break;
    section.rows.push_back(
        {fmt::format("{}", line.device), time_text(line.begin - summary.begin),
         time_text(line.end - line.begin), line.was_submitted_late ? "host was late" : "in order",
         fmt::format("{}, stream {}, {}", text_of(trace, line.next_name),
                     stream_text(line.next_stream), printable(line.next_place.text))});
  }
  if (!section.rows.empty()) {
    section.notes.emplace_back(
        "\"host was late\": the next work was submitted after the device had become idle. \"in "
        "order\": it was queued before and waited for something else.");
  }
  return section;
}

Section ranges_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{.title = "Ranges of the program",
                  .columns = {{"times", true},
                              {"total", true},
                              {"mean", true},
                              {"longest", true},
                              {"range", false}},
                  .rows = {},
                  .notes = {}};
  for (const RangeRow& line : summary.ranges) {
    if (section.rows.size() == top) break;
    const std::string domain = text_of(trace, line.domain);
    section.rows.push_back(
        {count_text(line.count), time_text(line.total),
         time_text(line.total / static_cast<int64_t>(line.count)), time_text(line.longest),
         domain.empty() ? text_of(trace, line.name)
                        : fmt::format("{}: {}", domain, text_of(trace, line.name))});
  }
  note_rest(section, summary.ranges.size(), top, "ranges");
  return section;
}

Section failures_of(const Trace& trace, const Summary& summary, size_t top) {
  Section section{.title = "Failures",
                  .columns = {{"times", true},
                              {"code", true},
                              {"first at", true},
                              {"what, and the first place", false}},
                  .rows = {},
                  .notes = {}};
  for (const FailureRow& line : summary.failures) {
    if (section.rows.size() == top) break;
    section.rows.push_back(
        {count_text(line.count), Cell(fmt::format("{}", line.result), Paint::kBad),
         time_text(line.first - summary.begin),
         fmt::format("{}{}  {}", line.is_work ? "work of " : "", text_of(trace, line.function),
                     printable(line.place.text))});
  }
  if (!section.rows.empty())
    section.notes.emplace_back("ferry explain CODE says what a code means");
  note_rest(section, summary.failures.size(), top, "failures");
  return section;
}

Section findings_of(const Trace& trace, const Summary& summary) {
  Section section{.title = "Findings of the checker",
                  .columns = {{"times", true}, {"rule", false}, {"the first", false}},
                  .rows = {},
                  .notes = {}};
  for (const FindingRow& line : summary.findings) {
    section.rows.push_back(
        {count_text(line.count), text_of(trace, line.rule), text_of(trace, line.text)});
  }
  return section;
}

std::string many(uint64_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : more);
}

}  // namespace

std::vector<std::string> head_of(const Trace& trace, const Summary& summary) {
  std::string command;
  for (const std::string& argument : trace.arguments)
    command += (command.empty() ? "" : " ") + printable(argument);
  if (command.empty()) command = printable(trace.program);
  std::string devices;
  for (const trace::Device& device : trace.devices) {
    devices += fmt::format("{}{}", devices.empty() ? "" : ", ", printable(device.kind));
    if (!device.name.empty()) devices += fmt::format(" ({})", printable(device.name));
  }
  std::vector<std::string> lines{command};
  lines.push_back(fmt::format("recorded {}, devices: {}, schedule {}", printable(trace.started),
                              devices.empty() ? "none" : devices, printable(trace.schedule)));
  lines.push_back(fmt::format(
      "{}: {} of {}, {} of {}; the host was blocked for {} of {} in calls",
      time_text(summary.span()), many(summary.calls, "call", "calls"),
      many(summary.threads, "thread", "threads"), many(summary.copies.items, "copy", "copies"),
      size_text(summary.copies.bytes), time_text(summary.blocked), time_text(summary.in_calls)));
  if (summary.model_runs > 0) {
    lines.push_back(many(summary.model_runs, "run of a model", "runs of models"));
  }
  for (const MemoryRow& row : summary.memory) {
    lines.push_back(
        fmt::format("device {}: at most {} allocated", row.device, size_text(row.peak)));
  }
  return lines;
}

std::vector<std::string> warnings_of(const Trace& trace, const Summary& summary) {
  std::vector<std::string> lines;
  if (!trace.is_complete) {
    lines.emplace_back("The trace was cut off: what came later is missing.");
  }
  if (trace.dropped > 0) {
    lines.push_back(fmt::format("{} events were dropped while recording: sums are too small.",
                                count_text(trace.dropped)));
  }
  if (trace.lost_lines > 0 && trace.is_complete) {
    lines.push_back(fmt::format("{} could not be read.", many(trace.lost_lines, "line", "lines")));
  }
  if (summary.unfinished > 0) {
    lines.push_back(fmt::format("Left out of all sums: {} that had not ended when the trace did.",
                                many(summary.unfinished, "work", "works")));
  }
  return lines;
}

std::vector<Section> sections_of(const Trace& trace, const Summary& summary, size_t top) {
  std::vector<Section> all{directions_of(summary),
                           sizes_of(summary),
                           streams_of(summary, top),
                           sites_of(trace, summary, top),
                           stacks_of(trace, summary, top),
                           blocks_of(trace, summary),
                           open_calls_of(trace, summary, top),
                           overlaps_of(summary, top),
                           gaps_of(trace, summary, top),
                           ranges_of(trace, summary, top),
                           failures_of(trace, summary, top),
                           findings_of(trace, summary)};
  std::erase_if(all, [](const Section& section) { return section.rows.empty(); });
  return all;
}

}  // namespace ferry::tools::report
