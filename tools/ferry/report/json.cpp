// SPDX-License-Identifier: Apache-2.0
// The members of a report as JSON.
#include "report/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ferry::tools::report {
namespace {

using Json = nlohmann::ordered_json;

template <class Rows, class ToJson>
Json array_of(const Rows& rows, ToJson to_json) {
  Json array = Json::array();
  for (const auto& row : rows)
    array.push_back(to_json(row));
  return array;
}

Json known(double value) {
  return value > 0 ? Json(value) : Json();
}

Json json_of_place(const Place& place) {
  Json json{{"text", place.text}};
  json["address"] = place.address == 0 ? Json() : Json(fmt::format("{:#x}", place.address));
  json["function"] = place.function.empty() ? Json() : Json(place.function);
  json["file"] = place.file.empty() ? Json() : Json(place.file);
  json["line"] = place.line == 0 ? Json() : Json(place.line);
  return json;
}

void add_tally(Json& json, const Tally& tally) {
  json["works"] = tally.works;
  json["copies"] = tally.items;
  json["bytes"] = tally.bytes;
  json["failed"] = tally.failed;
  json["time_ns"] = tally.time;
  json["busy_ns"] = tally.busy;
  json["queued_ns"] = tally.waited;
  json["longest_ns"] = tally.longest;
  json["gbps"] = known(tally.gbps());
  json["share_of_limit"] = known(tally.share());
}

Json json_of_limits(const Limits& limits) {
  Json json{{"source", limits.source}, {"reason", limits.reason}};
  json["ways"] = array_of(limits.ways, [](const Limit& way) {
    return Json{
        {"direction", name_of(way.direction)}, {"memory", name_of(way.memory)}, {"gbps", way.gbps}};
  });
  return json;
}

Json json_of_trace(const trace::Trace& trace) {
  Json json{{"program", trace.program}, {"arguments", trace.arguments}};
  json["pid"] = trace.pid;
  json["started"] = trace.started;
  json["ferry"] = trace.ferry;
  json["soc"] = trace.soc;
  json["cann"] = trace.cann;
  json["schedule"] = trace.schedule;
  json["devices"] = array_of(trace.devices, [](const trace::Device& device) {
    return Json{
        {"id", device.id}, {"kind", device.kind}, {"name", device.name}, {"memory", device.memory}};
  });
  json["complete"] = trace.is_complete;
  json["dropped"] = trace.dropped;
  json["lost_lines"] = trace.lost_lines;
  return json;
}

Json json_of_overlap(const OverlapRow& row) {
  Json json{{"device", row.device}, {"streams", row.streams}, {"span_ns", row.span}};
  json["with_ns"] = row.with;
  json["never_together"] = array_of(row.never, [](const StreamPair& pair) {
    return Json::array({pair.first, pair.second});
  });
  return json;
}

class Rows {
 public:
  explicit Rows(const trace::Trace& trace) : trace_(trace) {}

  Json direction(const DirectionRow& row) const {
    Json json{{"direction", name_of(row.direction)}, {"memory", name_of(row.memory)}};
    json["limit_gbps"] = known(row.limit_gbps);
    add_tally(json, row.tally);
    return json;
  }
  Json stream(const StreamRow& row) const {
    Json json{{"device", row.device}};
    json["stream"] = row.stream < 0 ? Json() : Json(row.stream);
    json["copy_works"] = row.copies;
    json["other_works"] = row.others;
    json["awaiting_ns"] = row.awaiting;
    add_tally(json, row.tally);
    return json;
  }
  Json site(const SiteRow& row) const {
    Json json{{"call", text(row.function)}, {"place", json_of_place(row.place)}};
    json["calls"] = row.calls;
    json["failed_calls"] = row.failed;
    json["in_calls_ns"] = row.host;
    json["blocked_ns"] = row.blocked;
    add_tally(json, row.tally);
    json["stack"] = array_of(row.stack, json_of_place);
    return json;
  }
  Json open_call(const OpenCallRow& row) const {
    Json json{{"call", text(row.function)}, {"begin_ns", row.begin}, {"time_ns", row.time}};
    json["thread"] = row.thread;
    json["stream"] = row.stream < 0 ? Json() : Json(row.stream);
    json["place"] = json_of_place(row.place);
    return json;
  }
  Json block(const BlockedRow& row) const {
    Json json{{"why", name_of(row.block)}, {"calls", row.calls}, {"time_ns", row.time}};
    json["longest_ns"] = row.longest;
    json["longest_call"] = text(row.longest_function);
    json["longest_place"] = json_of_place(row.longest_place);
    return json;
  }
  Json gap(const GapRow& row) const {
    Json json{{"device", row.device}, {"begin_ns", row.begin}, {"end_ns", row.end}};
    json["next_work"] = row.next_work;
    json["next_name"] = text(row.next_name);
    json["next_stream"] = row.next_stream < 0 ? Json() : Json(row.next_stream);
    json["next_place"] = json_of_place(row.next_place);
    json["submitted_late"] = row.was_submitted_late;
    return json;
  }
  Json failure(const FailureRow& row) const {
    Json json{{"of", row.is_work ? "work" : "call"}, {"call", text(row.function)}};
    json["result"] = row.result;
    json["count"] = row.count;
    json["first_ns"] = row.first;
    json["first_place"] = json_of_place(row.place);
    return json;
  }
  Json range(const RangeRow& row) const {
    return Json{{"name", text(row.name)},
                {"domain", text(row.domain)},
                {"count", row.count},
                {"total_ns", row.total},
                {"longest_ns", row.longest}};
  }
  Json finding(const FindingRow& row) const {
    return Json{{"rule", text(row.rule)},
                {"severity", text(row.severity)},
                {"count", row.count},
                {"text", text(row.text)}};
  }

 private:
  const std::string& text(trace::TextId id) const { return trace_.texts.text_of(id); }

  const trace::Trace& trace_;
};

}  // namespace

Json json_of(const std::string& file, const trace::Trace& trace, const Summary& summary) {
  const Rows rows(trace);
  Json json{{"schema", "ferry-report-1"}, {"file", file}};
  json["trace"] = json_of_trace(trace);
  json["begin_ns"] = summary.begin;
  json["span_ns"] = summary.span();
  json["calls"] = summary.calls;
  json["threads"] = summary.threads;
  json["unfinished"] = summary.unfinished;
  json["model_runs"] = summary.model_runs;
  json["in_calls_ns"] = summary.in_calls;
  json["blocked_ns"] = summary.blocked;
  json["limits"] = json_of_limits(summary.limits);
  add_tally(json["total"], summary.copies);
  json["directions"] =
      array_of(summary.directions, [&rows](const auto& row) { return rows.direction(row); });
  json["sizes"] = array_of(summary.sizes, [](const SizeRow& row) {
    Json line{{"from", row.from}};
    add_tally(line, row.tally);
    return line;
  });
  json["streams"] =
      array_of(summary.streams, [&rows](const auto& row) { return rows.stream(row); });
  json["sites"] = array_of(summary.sites, [&rows](const auto& row) { return rows.site(row); });
  json["open_calls"] =
      array_of(summary.open_calls, [&rows](const auto& row) { return rows.open_call(row); });
  json["blocked"] = array_of(summary.blocks, [&rows](const auto& row) { return rows.block(row); });
  json["overlap"] = array_of(summary.overlaps, json_of_overlap);
  json["gaps"] = array_of(summary.gaps, [&rows](const auto& row) { return rows.gap(row); });
  json["failures"] =
      array_of(summary.failures, [&rows](const auto& row) { return rows.failure(row); });
  json["ranges"] = array_of(summary.ranges, [&rows](const auto& row) { return rows.range(row); });
  json["device_memory"] = array_of(summary.memory, [](const MemoryRow& row) {
    return Json{{"device", row.device}, {"peak", row.peak}};
  });
  json["findings"] =
      array_of(summary.findings, [&rows](const auto& row) { return rows.finding(row); });
  return json;
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ferry::tools::report
