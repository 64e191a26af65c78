// SPDX-License-Identifier: Apache-2.0
// The rules about where the host waits: in asynchronous calls with pageable memory, after each
// copy, and between works of different streams that could overlap.
#include "advice/groups.h"
#include "advice/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr size_t kFewestSegments = 4;  // in a run

// Segments i in [begin, end) of a run have one copy each.
bool has_one_copy(const trace::Trace& trace, const Segment& segment) {
  return segment.works.size() == 1 && trace.works[segment.works.front()].kind == trace::Kind::kCopy;
}

bool has_one_stream(const SegmentRun& run) {
  return std::all_of(run.begin(), run.end(),
                     [&](const Segment& segment) { return segment.stream == run.front().stream; });
}

void add_segment(const Survey& survey, const Segment& segment, Group& group) {
  const trace::Call& wait = survey.trace().calls[segment.wait];
  for (const uint32_t index : segment.works)
    group.add(survey.trace().works[index]);
  group.witnesses.add_call(segment.wait);
  group.ns += wait.end - wait.begin;
}

// The wait behind the segment becomes unnecessary.
void leave_out_wait(const Survey& survey, const Segment& segment, Group& group) {
  group.change.without_wait.insert(survey.trace().works[segment.works.back()].number);
  ++group.matches;
}

// Segments with one copy each, all on one stream. The last wait stays.
void add_stretch(const Survey& survey, std::span<const Segment> segments, Groups& groups) {
  const trace::Work& first = survey.trace().works[segments.front().works.front()];
  Group& group = groups.of(site_key(survey.trace().calls[first.call_index]));
  for (const Segment& segment : segments) {
    add_segment(survey, segment, group);
    if (&segment != &segments.back()) leave_out_wait(survey, segment, group);
  }
}

Candidate waits_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "wait-per-copy";
  advice.title = "Wait once for many copies, not after each";
  advice.text = fmt::format(
      "{} {}, {} each, were followed by a wait of their own; the host waited {}. The copies touch "
      "different bytes, so {} of the waits could be left out.",
      count_text(group.works, "copy"), way_text(group), average_text(group), time_text(group.ns),
      group.matches);
  advice.to_do =
      "Submit the copies one after the other, and wait before the first use of a result.";
  advice.hint = {"for (...) aclrtMemcpyAsync(dst, size, src, size, kind, stream);",
                 "aclrtSynchronizeStream(stream);  // once, behind the loop"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

Candidate streams_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "serial-streams";
  advice.title = "Let streams work at the same time";
  advice.text = fmt::format(
      "{} on {} never overlapped: the host waited for each stream ({} in all) before it submitted "
      "to the next. They touch different bytes, so {} of the waits could be left out.",
      count_text(group.works, "copy"), count_text(group.parts, "stream"), time_text(group.ns),
      group.matches);
  advice.to_do =
      "Submit to all streams first, then wait for each of them. Where one stream needs the result "
      "of another, order them with an event.";
  advice.hint = {"aclrtMemcpyAsync(..., first); aclrtMemcpyAsync(..., second);",
                 "aclrtSynchronizeStream(first); aclrtSynchronizeStream(second);"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

Candidate pageable_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "pageable-async";
  advice.title = "Pin the memory of asynchronous copies";
  advice.text = fmt::format(
      "{} {} blocked the host for {}: with pageable memory, an asynchronous call waits for its "
      "stream and copies {} before it returns.",
      count_text(group.works, "asynchronous copy"), way_text(group), time_text(group.ns),
      average_text(group));
  advice.to_do =
      "Allocate the host buffer with aclrtMallocHost, or register it once when it is created.";
  advice.hint = {"aclrtMallocHost(&buffer, size);  // once, instead of malloc",
                 "aclrtHostRegister(buffer, size, ACL_HOST_REGISTER_MAPPED, &mapped);  // or this"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

}  // namespace

std::vector<Candidate> find_waits_after_copies(const Survey& survey) {
  Groups groups(survey);
  for_each_segment_run(survey, [&](const SegmentRun& run) {
    if (!has_one_stream(run)) return;
    size_t begin = 0;
    for (size_t i = 0; i <= run.size(); ++i) {
      if (i < run.size() && has_one_copy(survey.trace(), run[i])) continue;
      if (i - begin >= kFewestSegments) add_stretch(survey, {&run[begin], i - begin}, groups);
      begin = i + 1;
    }
  });
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(waits_candidate(*group));
  return result;
}

std::vector<Candidate> find_serial_streams(const Survey& survey) {
  Groups groups(survey);
  for_each_segment_run(survey, [&](const SegmentRun& run) {
    if (run.size() < kFewestSegments || has_one_stream(run)) return;
    std::vector<uint32_t> works;
    for (const Segment& segment : run)
      works.insert(works.end(), segment.works.begin(), segment.works.end());
    Group& group = groups.of_works(works);
    std::set<int32_t> waited;  // behind, for the last time
    for (auto segment = run.rbegin(); segment != run.rend(); ++segment) {
      if (!waited.insert(segment->stream).second) leave_out_wait(survey, *segment, group);
    }
    for (const Segment& segment : run)
      add_segment(survey, segment, group);
    group.parts = std::max<uint64_t>(group.parts, waited.size());
  });
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(streams_candidate(*group));
  return result;
}

std::vector<Candidate> find_pageable(const Survey& survey) {
  const trace::Trace& trace = survey.trace();
  Groups groups(survey);
  for (const trace::Work& work : trace.works) {
    const bool is_blocking = work.is_during_call() && work.memory == trace::Memory::kPageable &&
                             work.call_index < trace.calls.size() && work.moves_bytes();
    if (!is_blocking) continue;
    const trace::Call& call = trace.calls[work.call_index];
    if (trace.texts.text_of(call.function).find("Async") == std::string::npos) continue;
    Group& group = groups.of(site_key(call));
    group.add(work);
    group.ns += call.end - call.begin;
    group.change.pinned.insert(work.number);
  }
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(pageable_candidate(*group));
  return result;
}

}  // namespace ferry::tools::advice
