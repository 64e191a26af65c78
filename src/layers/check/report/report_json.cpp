// SPDX-License-Identifier: Apache-2.0
// Findings as JSON, and the atomic replacement of the file.
#include "layers/check/report/report_json.h"

#include "layers/check/report/command_line.h"

#include "ferry/ferry.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace ferry::layers::check {
namespace {

using Json = nlohmann::ordered_json;

template <class Items, class ToJson>
Json array_of(const Items& items, ToJson to_json) {
  Json array = Json::array();
  for (const auto& item : items)
    array.push_back(to_json(item));
  return array;
}

Json json_of_script(const Frame& frame) {
  Json json{{"function", frame.function}};
  json["file"] = frame.file.empty() ? Json() : Json(frame.file);
  json["line"] = frame.line == 0 ? Json() : Json(frame.line);
  return json;
}

Json json_of_frame(const Frame& frame) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "0x%llx", static_cast<unsigned long long>(frame.offset));
  Json json = json_of_script(frame);
  json["module"] = frame.module;
  json["offset"] = offset;
  json["inlined"] = frame.is_inlined;
  return json;
}

Json json_of_place(const DescribedPlace& place) {
  Json json{{"role", place.role}, {"function", place.function}};
  json["work"] = place.work;
  json["frames"] = array_of(place.frames, json_of_frame);
  json["script"] = array_of(place.script, json_of_script);
  return json;
}

Json json_of_finding(const DescribedFinding& finding) {
  Json json{{"rule", finding.rule->name}, {"severity", name_of(finding.rule->severity)}};
  json["sentence"] = finding.sentence;
  json["places"] = array_of(finding.places, json_of_place);
  json["advice"] = finding.advice;
  json["code"] = finding.code == 0 ? Json() : Json(finding.code);
  json["count"] = finding.count;
  json["suppressed"] = finding.is_suppressed;
  if (finding.is_suppressed) json["reason"] = finding.reason;
  return json;
}

Json annotations_of(const Overview& overview) {
  Json annotations = Json::array();
  for (const DescribedFinding& finding : overview.findings) {
    const Spot spot = spot_of(finding, overview.folder);
    if (finding.is_suppressed || spot.path.empty()) continue;
    Json annotation{{"path", spot.path}, {"line", spot.line}};
    annotation["level"] = finding.rule->severity == Severity::kError ? "error" : "notice";
    annotation["message"] = std::string(finding.rule->name) + ": " + finding.sentence;
    annotations.push_back(std::move(annotation));
  }
  return annotations;
}

Json summary_of(const Overview& overview) {
  Json rules = Json::object();
  for (const RuleTally& tally : overview.tallies) {
    if (tally.findings == 0 && tally.suppressed == 0) continue;
    Json counts{{"severity", name_of(tally.rule->severity)}, {"findings", tally.findings}};
    counts["places"] = tally.places;
    counts["suppressed"] = tally.suppressed;
    rules[tally.rule->name] = std::move(counts);
  }
  Json summary{{"calls", overview.calls},
               {"streams", overview.streams},
               {"errors", overview.count(Severity::kError)},
               {"notes", overview.count(Severity::kNote)}};
  summary["suppressed"] = overview.suppressed();
  summary["rules"] = std::move(rules);
  return summary;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

std::string report_json(const Overview& overview) {
  Json report{{"schema", kReportSchema}, {"ferry", FERRY_VERSION}};
  report["process"] = getpid();
  report["command"] = command_line();
  report["schedule"] = overview.schedule;
  report["complete"] = overview.is_complete;
  report["findings"] = array_of(overview.findings, json_of_finding);
  report["annotations"] = annotations_of(overview);
  report["summary"] = summary_of(overview);
  // Names of files and functions may contain any bytes.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool replace_file(const std::string& path, const std::string& text) {
  const std::string draft = path + "." + std::to_string(getpid()) + ".tmp";
  const int file = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return false;
  const bool is_written = write_all(file, text);
  const bool is_closed = close(file) == 0;
  if (is_written && is_closed && std::rename(draft.c_str(), path.c_str()) == 0) return true;
  unlink(draft.c_str());
  return false;
}

}  // namespace ferry::layers::check
