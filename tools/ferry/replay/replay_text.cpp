// SPDX-License-Identifier: Apache-2.0
// Reports of replays as text and as JSON.
#include "replay/replay_text.h"

#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace ferry::tools::replay {
namespace {

using trace::Direction;

struct DirectionName {
  Direction direction;
  const char* name;
  const char* key;
};
constexpr std::array<DirectionName, 4> kDirectionNames{{
    {Direction::kHostToDevice, "host to device", "H2D"},
    {Direction::kDeviceToHost, "device to host", "D2H"},
    {Direction::kDeviceToDevice, "device to device", "D2D"},
    {Direction::kHostToHost, "host to host", "H2H"},
}};

std::string time_text(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.2f} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.3f} ms", ns / 1e6) : fmt::format("{:.3f} s", ns / 1e9);
}

std::string speed_text(uint64_t bytes, double ns) {
  return ns <= 0 ? "-" : fmt::format("{:.2f} GB/s", static_cast<double>(bytes) / ns);
}

std::string ratio_text(double recorded, double now) {
  return recorded <= 0 ? "-" : fmt::format("{:.2f}", now / recorded);
}

uint64_t copies_of(const Plan& plan) {
  uint64_t copies = 0;
  for (const Step& step : plan.steps)
    copies += step.direction == Direction::kNone ? 0 : step.items;
  return copies;
}

std::string count_text(uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string summary_of(const Plan& plan) {
  uint64_t bytes = 0;
  for (const DirectionName& name : kDirectionNames)
    bytes += bytes_in(plan, name.direction);
  return fmt::format("{}, {}, {}, {}, {}", count_text(copies_of(plan), "copy", "copies"),
                     size_text(bytes), count_text(plan.streams.size(), "stream", "streams"),
                     count_text(plan.threads, "thread", "threads"),
                     count_text(static_cast<uint64_t>(plan.devices), "device", "devices"));
}

// The time that is compared with a run: without pauses, the program's own time does not count.
double recorded_of(const ReplayReport& report) {
  return static_cast<double>(report.keeps_pauses ? report.plan->recorded_total
                                                 : report.plan->recorded_busy);
}

void add_directions(const ReplayReport& report, Table& table) {
  const Plan& plan = *report.plan;
  for (const auto& [direction, ns] : report.as_recorded.alone_ns) {
    const auto name =
        std::find_if(kDirectionNames.begin(), kDirectionNames.end(),
                     [only = direction](const DirectionName& n) { return n.direction == only; });
    const uint64_t bytes = bytes_in(plan, direction);
    const auto recorded = static_cast<double>(plan.recorded_in[static_cast<size_t>(direction)]);
    table.add(
        {name->name, speed_text(bytes, recorded), speed_text(bytes, ns), ratio_text(recorded, ns)});
  }
}

std::string notes_of(const ReplayReport& report) {
  const Plan& plan = *report.plan;
  std::string text;
  for (const auto& [what, count] : plan.skipped)
    text += fmt::format("Not repeated: {} x {}.\n", count, what);
  if (plan.invented > 0) {
    text += fmt::format(
        "{} without their items: items of equal size were used; record with the option items.\n",
        count_text(plan.invented, "batch was recorded", "batches were recorded"));
  }
  return text;
}

std::string batch_text(const ReplayReport& report) {
  const double before = report.as_recorded.total.median_ns;
  const double after = report.as_batch.median_ns;
  const uint64_t calls_before = report.plan->steps.size();
  const uint64_t calls_after = report.batch_plan->steps.size();
  if (calls_before == calls_after) return "No copies can become a batch.\n";
  return fmt::format(
      "As batches: {} calls instead of {}, {} {} instead of {}: {:.2f} times as fast, {} {}.\n",
      calls_after, calls_before, report.is_predicted ? "predicted" : "measured", time_text(after),
      time_text(before), after > 0 ? before / after : 0,
      time_text(before > after ? before - after : after - before),
      before >= after ? "saved" : "lost");
}

nlohmann::json json_of(const Measurement& measurement) {
  nlohmann::json json{{"ns", measurement.median_ns}};
  if (!measurement.rounds_ns.empty()) json["rounds"] = measurement.rounds_ns;
  return json;
}

}  // namespace

std::string text_of(const ReplayReport& report) {
  const Plan& plan = *report.plan;
  const char* now = report.is_predicted ? "predicted" : "replayed";
  Table table({report.keeps_pauses ? "with pauses" : "without pauses", "recorded", now, "ratio"});
  const double recorded = recorded_of(report);
  const double ns = report.as_recorded.total.median_ns;
  table.add({"total", time_text(recorded), time_text(ns), ratio_text(recorded, ns)});
  add_directions(report, table);
  std::string text =
      fmt::format("{}: {}\n{} on {}\n\n{}", report.file, summary_of(plan),
                  report.is_predicted ? "Predicted" : "Replayed", report.where, table.text());
  if (report.batch_plan != nullptr) text += "\n" + batch_text(report);
  const std::string notes = notes_of(report);
  return notes.empty() ? text : text + "\n" + notes;
}

std::string json_of(const ReplayReport& report) {
  const Plan& plan = *report.plan;
  nlohmann::json json;
  json["file"] = report.file;
  json["on"] = report.where;
  json["predicted"] = report.is_predicted;
  json["pace"] = report.keeps_pauses ? "recorded" : "none";
  json["copies"] = copies_of(plan);
  json["calls"] = plan.steps.size();
  json["streams"] = plan.streams.size();
  json["threads"] = plan.threads;
  json["devices"] = plan.devices;
  json["recorded"] = {{"total_ns", plan.recorded_total}, {"busy_ns", plan.recorded_busy}};
  json["replayed"] = json_of(report.as_recorded.total);
  json["directions"] = nlohmann::json::object();
  for (const auto& [direction, ns] : report.as_recorded.alone_ns) {
    for (const DirectionName& name : kDirectionNames) {
      if (name.direction != direction) continue;
      json["directions"][name.key] = {
          {"bytes", bytes_in(plan, direction)},
          {"recorded_ns", plan.recorded_in[static_cast<size_t>(direction)]},
          {"ns", ns}};
    }
  }
  json["skipped"] = plan.skipped;
  json["invented_batches"] = plan.invented;
  if (report.batch_plan != nullptr) {
    json["batch"] = json_of(report.as_batch);
    json["batch"]["calls"] = report.batch_plan->steps.size();
    json["batch"]["gain_ns"] = report.as_recorded.total.median_ns - report.as_batch.median_ns;
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace ferry::tools::replay
