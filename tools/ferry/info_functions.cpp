// SPDX-License-Identifier: Apache-2.0
// The functions by chapter, as a table and as JSON.
#include "info_functions.h"

#include "commands.h"
#include "environment.h"
#include "library.h"
#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ferry::tools {
namespace {

struct Chapter {
  std::string name;
  size_t count = 0;
  std::vector<std::string> refused;
};

std::vector<ferryFunction> all_functions() {
  std::vector<ferryFunction> functions;
  ferryFunction function{};
  for (size_t i = 0; ferryGetFunction(i, &function) == ACL_SUCCESS; ++i)
    functions.push_back(function);
  return functions;
}

std::vector<Chapter> all_chapters() {
  std::vector<Chapter> chapters;
  for (const ferryFunction& function : all_functions()) {
    if (chapters.empty() || chapters.back().name != function.chapter) {
      chapters.push_back({.name = function.chapter, .count = 0, .refused = {}});
    }
    Chapter& chapter = chapters.back();
    ++chapter.count;
    if (function.works == 0) chapter.refused.emplace_back(function.name);
  }
  return chapters;
}

nlohmann::ordered_json describe_devices() {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  uint32_t count = 0;
  static_cast<void>(aclrtGetDeviceCount(&count));
  for (uint32_t id = 0; id < count; ++id) {
    ferryDevice device{};
    if (ferryGetDevice(static_cast<int32_t>(id), &device) != ACL_SUCCESS) continue;
    devices.push_back(
        {{"id", id}, {"kind", device.kind}, {"name", device.name}, {"memory", device.memory}});
  }
  return devices;
}

}  // namespace

void show_functions() {
  Table table({"chapter", "work", "of", "refuse with 207000"});
  size_t working = 0;
  size_t count = 0;
  for (const Chapter& chapter : all_chapters()) {
    const size_t works = chapter.count - chapter.refused.size();
    working += works;
    count += chapter.count;
    std::string refused = chapter.refused.empty() ? "" : chapter.refused.front();
    if (chapter.refused.size() > 1)
      refused += fmt::format(" and {} more", chapter.refused.size() - 1);
    table.add({Cell(chapter.name), Cell(fmt::format("{}", works)),
               Cell(fmt::format("{}", chapter.count)), Cell(refused, Paint::kDim)});
  }
  fmt::print("{}\n{} of {} functions work. ferry info --json names them all.\n", table.text(),
             working, count);
}

int show_json() {
  if (const std::vector<Problem> problems = environment_problems(); !problems.empty()) {
    complain("ferry info", problems.front().text);
    return kExitFailure;
  }
  static_cast<void>(ferryClearFailures());  // FERRY_FAIL is for programs, not for this query
  nlohmann::ordered_json functions = nlohmann::ordered_json::array();
  for (const ferryFunction& function : all_functions()) {
    functions.push_back(
        {{"name", function.name}, {"chapter", function.chapter}, {"works", function.works != 0}});
  }
  uint64_t seed = 0;
  const std::string schedule = ferryGetSchedule(&seed);
  const char* const soc = aclrtGetSocName();
  const nlohmann::ordered_json all{
      {"version", ferryVersion()},
      {"library", library_path().string()},
      {"product", soc != nullptr ? soc : ""},
      {"schedule", schedule == "shuffle" ? fmt::format("shuffle:{}", seed) : schedule},
      {"devices", describe_devices()},
      {"functions", functions}};
  fmt::print("{}\n", all.dump(2));
  return kExitSuccess;
}

}  // namespace ferry::tools
