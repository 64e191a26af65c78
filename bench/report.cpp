// SPDX-License-Identifier: Apache-2.0
// Printing, and JSON.
#include "bench/report.h"

#include "text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ferry::bench {
namespace {

using tools::Cell;
using tools::Paint;
using Json = nlohmann::ordered_json;

std::string first_line_with(const char* path, const std::string& start) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(start)) return line;
  }
  return {};
}

// "X" of "model name : X".
std::string value_of(const std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos) return {};
  const size_t start = line.find_first_not_of(" \t", colon + 1);
  return start == std::string::npos ? std::string() : line.substr(start);
}

// The selected value is in brackets: "always [madvise] never".
std::string chosen_of(const std::string& line) {
  const size_t open = line.find('[');
  const size_t close = line.find(']');
  return close == std::string::npos ? "unknown" : line.substr(open + 1, close - open - 1);
}

// Measurements are precise to three digits at most. A small value keeps two.
std::string number_text(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  const int digits = size < 0.01 ? 4 : size < 0.1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", value, digits);
}

std::string value_text(const std::optional<double>& value, const std::string& unit) {
  return value ? number_text(*value) + " " + unit : "-";
}

Cell verdict_cell(Verdict verdict) {
  const Paint paint = verdict == Verdict::kMet      ? Paint::kGood
                      : verdict == Verdict::kMissed ? Paint::kBad
                                                    : Paint::kDim;
  return {verdict_text(verdict), paint};
}

Json json_of(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json json_of(const Row& row) {
  Json json{{"question", row.question},
            {"what", row.what},
            {"unit", row.unit},
            {"measured", json_of(row.measured)},
            {"baseline", json_of(row.baseline)},
            {"baseline_name", row.baseline_name}};
  json["ratio"] = row.ratio ? json_of(row.ratio->median) : Json(nullptr);
  json["spread"] = row.ratio ? json_of(row.ratio->spread) : Json(nullptr);
  json["target"] = row.target ? Json(row.target->text) : Json(nullptr);
  json["judged"] = json_of(row.judged);
  json["verdict"] = verdict_text(judge(row));
  json["skipped"] = row.skipped;
  return json;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// A column of four characters: a larger spread makes the row meaningless anyway.
std::string spread_text(double spread) {
  return spread > 0.99 ? ">99%" : fmt::format("{:.0f}%", spread * 100);
}

// "L1 48 KiB, L2 1024 KiB", without those of instructions.
std::string caches_of_first_core() {
  std::string text;
  for (int i = 0;; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string level = first_line_with((folder + "level").c_str(), "");
    if (level.empty()) return text;
    if (first_line_with((folder + "type").c_str(), "") == "Instruction") continue;
    std::string size = first_line_with((folder + "size").c_str(), "");  // "48K"
    if (size.ends_with('K')) size.replace(size.size() - 1, 1, " KiB");
    text += fmt::format("{}L{} {}", text.empty() ? "" : ", ", level, size);
  }
}

}  // namespace

Machine describe_machine(const std::string& device) {
  Machine machine;
  machine.processor = value_of(first_line_with("/proc/cpuinfo", "model name"));
  if (machine.processor.empty()) machine.processor = "unknown processor";
  machine.cores = static_cast<size_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  machine.caches = caches_of_first_core();
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  machine.memory =
      tools::size_text(static_cast<uint64_t>(pages * static_cast<double>(sysconf(_SC_PAGESIZE))));
  machine.huge_pages =
      chosen_of(first_line_with("/sys/kernel/mm/transparent_hugepage/enabled", ""));
  machine.device = device;
  return machine;
}

void print_introduction(const Machine& machine, const Pace& pace) {
  if (!machine.device.empty()) fmt::print("{}\n", machine.device);
  fmt::print("{} cores of {}, {}\n", machine.cores, machine.processor, machine.memory);
  fmt::print("caches {}; huge pages: {}\n", machine.caches, machine.huge_pages);
  fmt::print("Medians of {} rounds; in a round every baseline has its turn too.\n", pace.rounds);
}

void print_rows(const Question& question, const std::vector<Row>& rows) {
  fmt::print("\n{}\n", tools::painted(Paint::kBold, question.name + ": " + question.heading));
  // Without targets, as in a quick run, the two columns would only make lines long.
  const bool has_targets = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.target.has_value() || judge(row) != Verdict::kNone;
  });
  std::vector<std::string> heads{"", "Ferry", "against", "ratio", "+-"};
  if (has_targets) heads.insert(heads.end(), {"target", ""});
  heads.emplace_back();
  tools::Table table(heads);
  for (const Row& row : rows) {
    std::vector<Cell> cells{row.what, value_text(row.measured, row.unit),
                            row.baseline ? number_text(*row.baseline) : "-",
                            row.ratio ? number_text(row.ratio->median) : "-",
                            row.ratio ? spread_text(row.ratio->spread) : "-"};
    if (has_targets) {
      cells.emplace_back(row.target ? row.target->text : "");
      cells.push_back(verdict_cell(judge(row)));
    }
    cells.emplace_back(row.baseline_name, Paint::kDim);
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
  for (const Row& row : rows) {
    if (!row.skipped.empty()) fmt::print("skipped {}: {}\n", row.what, row.skipped);
  }
  std::fflush(stdout);
}

void print_verdict(const std::vector<Row>& rows) {
  size_t met = 0;
  size_t skipped = 0;
  for (const Row& row : rows) {
    met += judge(row) == Verdict::kMet ? 1 : 0;
    skipped += judge(row) == Verdict::kSkipped ? 1 : 0;
  }
  const std::vector<std::string> missed = missed_of(rows);
  if (met + missed.size() == 0) return;
  fmt::print("\nTargets: {} met, {} missed, {} skipped\n", met, missed.size(), skipped);
  for (const std::string& name : missed)
    fmt::print("  {} {}\n", tools::painted(Paint::kBad, "missed"), name);
}

std::string json_text(const Options& options, const Machine& machine, const Pace& pace,
                      const std::vector<Row>& rows, const Sweep& sweep) {
  Json json{{"program", "ferry bench"},  {"version", FERRY_VERSION},
            {"library", ferryVersion()}, {"command", options.command},
            {"time", time_of_day()},     {"quick", options.effort == Effort::kQuick},
            {"rounds", pace.rounds}};
  json["machine"] = {{"processor", machine.processor},   {"cores", machine.cores},
                     {"caches", machine.caches},         {"memory", machine.memory},
                     {"huge_pages", machine.huge_pages}, {"device", machine.device}};
  json["rows"] = Json::array();
  for (const Row& row : rows)
    json["rows"].push_back(json_of(row));
  json["plot"] = Json::array();
  for (const SweepPoint& point : sweep.points) {
    Json place{{"panel", point.panel}, {"count", point.count}, {"block_bytes", point.block_bytes}};
    for (size_t i = 0; i < sweep.ways.size(); ++i)
      place[sweep.ways[i].key] = json_of(point.speeds[i]);
    json["plot"].push_back(place);
  }
  return json.dump(2) + "\n";
}

void show_progress(const std::string& text) {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  if (!is_terminal) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

}  // namespace ferry::bench
