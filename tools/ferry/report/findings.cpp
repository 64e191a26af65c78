// SPDX-License-Identifier: Apache-2.0
// Reads reports of the checker, and prints what they found.
#include "report/findings.h"

#include "report/sections.h"
#include "text.h"
#include "trace/input.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace ferry::tools::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kSchema = 1;
constexpr size_t kMostBytes = size_t{64} << 20;
constexpr size_t kMostFrames = 4;

// "" or the rest of a sentence about the file.
std::string read_all(const std::string& path, size_t most, std::string& text) {
  trace::Input input;
  std::string error = input.open(path);
  std::vector<char> block(size_t{1} << 16);
  while (error.empty()) {
    const trace::Input::Block got = input.read(block.data(), block.size());
    if (!got.error.empty() || got.size == 0) return got.error;
    text.append(block.data(), got.size);
    if (text.size() >= most) return {};
  }
  return error;
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? printable(found->get<std::string>())
                                                   : std::string();
}

uint64_t number_of(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

const Json& list_of(const Json& json, const char* key) {
  static const Json none = Json::array();
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_array() ? *found : none;
}

bool is_true(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::string frame_text(const Json& frame) {
  std::string text = text_of(frame, "function");
  const std::string file = text_of(frame, "file");
  const std::string module = text_of(frame, "module");
  if (!file.empty()) {
    text += fmt::format("  {}:{}", file, number_of(frame, "line"));
  } else if (!module.empty()) {
    text += fmt::format("  {}+{}", module, text_of(frame, "offset"));
  }
  return text;
}

void print_indented(const std::string& text, size_t indent) {
  fmt::print("{}{}\n", std::string(indent, ' '), wrapped(text, indent, text_width()));
}

void print_place(const Json& place) {
  const std::string call = text_of(place, "function");
  const std::string role = text_of(place, "role");
  print_indented(call.empty() ? role : fmt::format("{}: {}", role, call), 2);
  for (const char* list : {"script", "frames"}) {
    size_t count = 0;
    for (const Json& frame : list_of(place, list)) {
      if (count++ == kMostFrames) break;
      print_indented(frame_text(frame), 6);
    }
  }
}

void print_finding(const Json& finding) {
  const bool is_error = text_of(finding, "severity") == "error";
  const uint64_t count = number_of(finding, "count");
  std::string head = fmt::format("{} {}", text_of(finding, "severity"), text_of(finding, "rule"));
  if (count > 1) head += fmt::format(", {} times", count_text(count));
  if (is_true(finding, "suppressed")) head += ", suppressed: " + text_of(finding, "reason");
  fmt::print("\n{}\n", painted(is_error ? Paint::kBad : Paint::kBold, head));
  print_indented(text_of(finding, "sentence"), 2);
  for (const Json& place : list_of(finding, "places"))
    print_place(place);
  const std::string advice = text_of(finding, "advice");
  if (!advice.empty()) print_indented("do this: " + advice, 2);
}

}  // namespace

bool may_be_findings(const std::string& path) {
  std::string text;
  if (!read_all(path, 1, text).empty()) return false;
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

std::string read_findings(const std::string& path, Json& findings) {
  std::string text;
  const std::string error = read_all(path, kMostBytes, text);
  if (!error.empty()) return fmt::format("{} {}", path, error);
  if (text.size() >= kMostBytes) {
    return fmt::format("{} has more than {} MiB, which no report of the checker has", path,
                       kMostBytes >> 20);
  }
  constexpr bool kWithoutExceptions = false;
  findings = Json::parse(text, nullptr, kWithoutExceptions);
  if (findings.is_discarded() || !findings.is_object() || !findings.contains("findings") ||
      !findings.contains("schema")) {
    return fmt::format("{} is neither a trace of Ferry nor a report of its checker", path);
  }
  const uint64_t schema = number_of(findings, "schema");
  if (schema != kSchema) {
    return fmt::format("{} has schema {}, and this version of Ferry reads schema {}", path, schema,
                       kSchema);
  }
  return {};
}

void print_findings(const Json& findings) {
  std::string command;
  for (const Json& argument : list_of(findings, "command")) {
    if (argument.is_string()) command += printable(argument.get<std::string>()) + " ";
  }
  fmt::print("{}\n", painted(Paint::kBold, wrapped(command, 2, text_width())));
  const auto summary = findings.find("summary");
  const Json none = Json::object();
  const Json& sums = summary != findings.end() ? *summary : none;
  fmt::print("checked, schedule {}: {} errors, {} notes, {} suppressed\n",
             text_of(findings, "schedule"), number_of(sums, "errors"), number_of(sums, "notes"),
             number_of(sums, "suppressed"));
  if (!is_true(findings, "complete")) {
    fmt::print("{}\n", painted(Paint::kBad, "The program had not ended: more may have followed."));
  }
  for (const Json& finding : list_of(findings, "findings"))
    print_finding(finding);
  if (!list_of(findings, "findings").empty()) {
    fmt::print("\nferry explain RULE says why a finding is a bug, and how to fix it\n");
  }
}

}  // namespace ferry::tools::report
