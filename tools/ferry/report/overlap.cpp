// SPDX-License-Identifier: Apache-2.0
// How the streams of a device worked together, and when the device did nothing.
#include "report/parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace ferry::tools::report {
namespace {

using trace::Work;

constexpr size_t kMostCompared = 64;  // bits of a mask
constexpr size_t kMostGaps = 100;     // per device
// A stream with a smaller share of the work of its device is not compared.
constexpr int64_t kLeastShare = 20;  // one twentieth

struct Interval {
  int64_t begin;
  int64_t end;
};

struct Lane {
  int32_t stream = 0;
  int64_t busy = 0;
  std::vector<Interval> intervals;  // apart from each other, by time
};

void add_interval(Lane& lane, int64_t begin, int64_t end) {
  if (end <= begin) return;
  if (!lane.intervals.empty() && begin <= lane.intervals.back().end) {
    begin = lane.intervals.back().end;
    if (end <= begin) return;
    lane.intervals.back().end = end;
  } else {
    lane.intervals.push_back({begin, end});
  }
  grow(lane.busy, end - begin);
}

struct Edge {
  int64_t time;
  uint32_t lane;
  bool is_begin;
};

// Of a device, the busiest lane first. Edges at the same time come in any order, so `count` may
// wrap between them; it is read only where time passes.
OverlapRow overlap_of(int32_t device, const std::vector<Lane>& lanes) {
  OverlapRow row;
  row.device = device;
  row.streams = lanes.size();
  row.with.assign(lanes.size() + 1, 0);
  std::vector<Edge> edges;
  for (uint32_t i = 0; i < lanes.size(); ++i) {
    for (const Interval& interval : lanes[i].intervals) {
      edges.push_back({interval.begin, i, true});
      edges.push_back({interval.end, i, false});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.time < b.time; });
  std::array<uint64_t, kMostCompared> met{};
  uint64_t mask = 0;  // of compared lanes that are busy
  size_t count = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    count = edge.is_begin ? count + 1 : count - 1;
    if (edge.lane < kMostCompared) mask ^= uint64_t{1} << edge.lane;
    if (i + 1 == edges.size() || edges[i + 1].time == edge.time) continue;
    grow(row.with[count], edges[i + 1].time - edge.time);
    if (std::popcount(mask) < 2) continue;
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
      met[static_cast<size_t>(std::countr_zero(rest))] |= mask;
  }
  if (!edges.empty()) row.span = edges.back().time - edges.front().time;
  int64_t all = 0;
  for (const Lane& lane : lanes)
    grow(all, lane.busy);
  const size_t compared = std::min(lanes.size(), kMostCompared);
  row.not_compared = lanes.size() - compared;
  for (size_t first = 0; first < compared; ++first) {
    for (size_t second = first + 1; second < compared; ++second) {
      const bool has_met = (met[first] >> second & 1) != 0;
      if (has_met || lanes[second].busy < all / kLeastShare) continue;
      row.never.push_back({.first = std::min(lanes[first].stream, lanes[second].stream),
                           .second = std::max(lanes[first].stream, lanes[second].stream)});
    }
  }
  while (row.with.size() > 1 && row.with.back() == 0)
    row.with.pop_back();
  return row;
}

struct Gap {
  int64_t begin;
  int64_t end;
  uint32_t next;  // place of the work
};

struct DeviceGaps {
  int64_t until = std::numeric_limits<int64_t>::min();
  std::vector<Gap> gaps;
};

void keep_longest(std::vector<Gap>& gaps) {
  const auto is_longer = [](const Gap& a, const Gap& b) {
    const int64_t first = a.end - a.begin;
    const int64_t second = b.end - b.begin;
    return first != second ? first > second : a.begin < b.begin;
  };
  std::sort(gaps.begin(), gaps.end(), is_longer);
  if (gaps.size() > kMostGaps) gaps.resize(kMostGaps);
}

}  // namespace

void summarize_overlap(const Source& source, Summary& summary) {
  std::map<int32_t, std::map<int32_t, Lane>> devices;
  for (const uint32_t place : source.by_begin) {
    const Work& work = source.trace.works[place];
    if (work.is_during_call() || is_waiting(work.kind)) continue;
    Lane& lane = devices[work.device][work.stream];
    lane.stream = work.stream;
    add_interval(lane, work.begin, work.end);
  }
  for (auto& [device, streams] : devices) {
    std::vector<Lane> lanes;
    for (auto& [stream, lane] : streams) {
      if (lane.busy > 0) lanes.push_back(std::move(lane));
    }
    std::stable_sort(lanes.begin(), lanes.end(),
                     [](const Lane& a, const Lane& b) { return a.busy > b.busy; });
    if (!lanes.empty()) summary.overlaps.push_back(overlap_of(device, lanes));
  }
}

void summarize_gaps(const Source& source, Places& places, Summary& summary) {
  std::map<int32_t, DeviceGaps> devices;
  for (const uint32_t place : source.by_begin) {
    const Work& work = source.trace.works[place];
    if (is_waiting(work.kind) || work.kind == trace::Kind::kRecord) continue;
    DeviceGaps& device = devices[work.device];
    if (!work.is_unfinished && device.until < work.begin &&
        device.until != std::numeric_limits<int64_t>::min()) {
      device.gaps.push_back({device.until, work.begin, place});
      if (device.gaps.size() > kMostGaps * 1000) keep_longest(device.gaps);
    }
    device.until = std::max(device.until, work.end);
  }
  for (auto& [id, device] : devices) {
    keep_longest(device.gaps);
    for (const Gap& gap : device.gaps) {
      const Work& next = source.trace.works[gap.next];
      summary.gaps.push_back({.device = id,
                              .begin = gap.begin,
                              .end = gap.end,
                              .next_work = next.number,
                              .next_name = next.name,
                              .next_stream = next.stream,
                              .next_place = places.of_call(source.trace, next.call_index),
                              .was_submitted_late = next.submitted > gap.begin});
    }
  }
  std::stable_sort(summary.gaps.begin(), summary.gaps.end(), [](const GapRow& a, const GapRow& b) {
    return a.end - a.begin > b.end - b.begin;
  });
}

}  // namespace ferry::tools::report
