// SPDX-License-Identifier: Apache-2.0
// Sums over works, ranges, memory and findings; the other parts are in files of their own.
#include "report/summary.h"

#include "report/parts.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace ferry::tools::report {
namespace {

using trace::Kind;
using trace::Work;

int64_t covered(int64_t begin, int64_t end, int64_t& until) {
  const int64_t from = std::max(begin, until);
  until = std::max(until, end);
  return std::max<int64_t>(0, end - from);
}

std::vector<uint32_t> works_by_begin(const trace::Trace& trace) {
  std::vector<uint32_t> order(trace.works.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&trace](uint32_t a, uint32_t b) {
    return trace.works[a].begin < trace.works[b].begin;
  });
  return order;
}

uint64_t size_class_of(const Work& work) {
  return std::bit_floor(work.bytes / std::max<uint64_t>(1, work.items));
}

struct StreamCounter {
  Counter all;
  uint64_t copies = 0;
  uint64_t others = 0;
  int64_t awaiting = 0;
};

class WorkSums {
 public:
  explicit WorkSums(const Source& source) : source_(source) {}

  void add(const Work& work) {
    const double limit = source_.limit_of(work);
    StreamCounter& stream = streams_[{work.device, work.stream}];
    if (is_waiting(work.kind)) {
      grow(stream.awaiting, work.end - work.begin);
    } else {
      stream.all.add(work, limit);
    }
    if (!is_copy(work)) {
      ++stream.others;
      return;
    }
    ++stream.copies;
    copies_.add(work, limit);
    directions_[{work.direction, work.memory}].add(work, limit);
    sizes_[size_class_of(work)].add(work, limit);
  }

  void finish(Summary& summary) const {
    summary.copies = copies_.tally();
    for (const auto& [way, counter] : directions_) {
      summary.directions.push_back({.direction = way.first,
                                    .memory = way.second,
                                    .limit_gbps = source_.limits.gbps_of(way.first, way.second),
                                    .tally = counter.tally()});
    }
    for (const auto& [from, counter] : sizes_)
      summary.sizes.push_back({.from = from, .tally = counter.tally()});
    for (const auto& [lane, counter] : streams_) {
      summary.streams.push_back({.device = lane.first,
                                 .stream = lane.second,
                                 .tally = counter.all.tally(),
                                 .copies = counter.copies,
                                 .others = counter.others,
                                 .awaiting = counter.awaiting});
    }
    const auto is_more = [](const auto& a, const auto& b) { return a.tally.time > b.tally.time; };
    std::stable_sort(summary.directions.begin(), summary.directions.end(), is_more);
    std::stable_sort(summary.streams.begin(), summary.streams.end(), is_more);
  }

 private:
  const Source& source_;
  Counter copies_;
  std::map<std::pair<trace::Direction, trace::Memory>, Counter> directions_;
  std::map<uint64_t, Counter> sizes_;
  std::map<std::pair<int32_t, int32_t>, StreamCounter> streams_;
};

void summarize_works(const Source& source, Summary& summary) {
  WorkSums sums(source);
  std::set<std::pair<uint64_t, uint64_t>> runs;
  for (const uint32_t place : source.by_begin) {
    const Work& work = source.trace.works[place];
    if (work.run != trace::kNone) runs.emplace(work.model, work.run);
    // Nobody knows how much of it was done.
    if (work.is_unfinished) {
      ++summary.unfinished;
    } else {
      sums.add(work);
    }
  }
  sums.finish(summary);
  summary.model_runs = runs.size();
}

void summarize_ranges(const trace::Trace& trace, Summary& summary) {
  std::map<std::pair<trace::TextId, trace::TextId>, RangeRow> rows;
  for (const trace::Range& range : trace.ranges) {
    RangeRow& row = rows[{range.domain, range.name}];
    row.name = range.name;
    row.domain = range.domain;
    ++row.count;
    grow(row.total, range.end - range.begin);
    row.longest = std::max(row.longest, range.end - range.begin);
  }
  for (const auto& [key, row] : rows)
    summary.ranges.push_back(row);
  std::stable_sort(summary.ranges.begin(), summary.ranges.end(),
                   [](const RangeRow& a, const RangeRow& b) { return a.total > b.total; });
}

void summarize_memory(const trace::Trace& trace, Summary& summary) {
  for (const auto& [device, samples] : trace.device_memory) {
    MemoryRow row{.device = device};
    for (const trace::Sample& sample : samples)
      row.peak = std::max(row.peak, sample.bytes);
    summary.memory.push_back(row);
  }
}

void summarize_findings(const trace::Trace& trace, Summary& summary) {
  std::map<trace::TextId, FindingRow> rows;
  for (const trace::Instant& instant : trace.instants) {
    if (instant.what != trace::Instant::What::kFinding) continue;
    FindingRow& row = rows[instant.name];
    if (row.count++ == 0) {
      row.rule = instant.name;
      row.severity = instant.severity;
      row.text = instant.text;
    }
  }
  for (const auto& [rule, row] : rows)
    summary.findings.push_back(row);
  std::stable_sort(summary.findings.begin(), summary.findings.end(),
                   [](const FindingRow& a, const FindingRow& b) { return a.count > b.count; });
}

void find_span(const trace::Trace& trace, Summary& summary) {
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = std::numeric_limits<int64_t>::min();
  const auto note = [&begin, &end](int64_t from, int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  };
  for (const trace::Call& call : trace.calls)
    note(call.begin, call.end);
  for (const Work& work : trace.works)
    note(std::min(work.begin, work.submitted), work.end);
  for (const trace::Range& range : trace.ranges)
    note(range.begin, range.end);
  for (const trace::Instant& instant : trace.instants)
    note(instant.time, instant.time);
  if (begin > end) return;  // there are no events
  summary.begin = begin;
  summary.end = end;
}

}  // namespace

void Counter::add(const Work& work, double limit_gbps) {
  ++tally_.works;
  tally_.items += work.items;
  tally_.bytes += work.bytes;
  if (work.result != 0) ++tally_.failed;
  grow(tally_.time, work.end - work.begin);
  grow(tally_.waited, std::max<int64_t>(0, work.begin - work.submitted));
  tally_.longest = std::max(tally_.longest, work.end - work.begin);
  grow(tally_.busy, covered(work.begin, work.end, busy_until_));
  if (limit_gbps <= 0) return;
  constexpr double kMostTime = 9e18;
  grow(tally_.limited, covered(work.begin, work.end, limited_until_));
  grow(tally_.at_limit,
       static_cast<int64_t>(std::min(kMostTime, static_cast<double>(work.bytes) / limit_gbps)));
}

bool is_copy(const Work& work) {
  return work.direction != trace::Direction::kNone || (work.bytes > 0 && work.kind == Kind::kFill);
}

bool is_waiting(Kind kind) {
  return kind == Kind::kWait || kind == Kind::kTakeNotify || kind == Kind::kWaitValue;
}

Place Places::of_call(const trace::Trace& trace, uint32_t call) {
  Place place;
  if (call >= trace.calls.size()) {
    place.text = "unknown";
    return place;
  }
  const trace::Call& made = trace.calls[call];
  if (made.script != trace::kNoText) {
    // "function  file:line"
    place.text = trace.texts.text_of(made.script);
    place.address = made.site;
    const size_t gap = place.text.find("  ");
    place.function = place.text.substr(0, gap);
    if (gap != std::string::npos) place.file = place.text.substr(gap + 2);
    const size_t colon = place.file.rfind(':');
    if (colon != std::string::npos) {
      std::from_chars(place.file.data() + colon + 1, place.file.data() + place.file.size(),
                      place.line);
      place.file.resize(colon);
    }
    return place;
  }
  if (made.site == 0) {
    place.text = "unknown";
    return place;
  }
  return of_address(made.site);
}

const Place& Places::of_address(uint64_t address) {
  const auto [known, is_new] = known_.try_emplace(address);
  if (is_new) {
    known->second = place_of_(address);
    known->second.address = address;
  }
  return known->second;
}

// What is outside of main belongs to no program.
Stack Places::of_stack(const trace::Trace& trace, uint64_t number) {
  Stack stack;
  const auto found = trace.stacks.find(number);
  if (found == trace.stacks.end()) return stack;
  for (const uint64_t address : found->second) {
    stack.push_back(of_address(address));
    if (stack.back().function == "main") break;
  }
  return stack;
}

Summary summarize(const trace::Trace& trace, const Limits& limits, const PlaceOf& place_of) {
  Summary summary;
  summary.limits = limits;
  const Source source{.trace = trace, .limits = limits, .by_begin = works_by_begin(trace)};
  Places places(place_of);
  find_span(trace, summary);
  summarize_works(source, summary);
  summarize_calls(source, places, summary);
  summarize_overlap(source, summary);
  summarize_gaps(source, places, summary);
  summarize_failures(source, places, summary);
  summarize_ranges(trace, summary);
  summarize_memory(trace, summary);
  summarize_findings(trace, summary);
  return summary;
}

}  // namespace ferry::tools::report
