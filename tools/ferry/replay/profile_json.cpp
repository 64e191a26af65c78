// SPDX-License-Identifier: Apache-2.0
// Profiles as JSON. docs/tracing.md describes the members.
#include "replay/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace ferry::tools::replay {
namespace {

using nlohmann::json;
using trace::Direction;
using trace::Memory;

constexpr int kProfileFormat = 1;
constexpr size_t kMostEntries = 4096;  // of each list
constexpr double kMostNs = 1e15;
constexpr uint64_t kMostProfileBytes = uint64_t{1} << 47;
constexpr size_t kMostFile = size_t{16} << 20;

constexpr std::array<std::pair<const char*, Direction>, 4> kDirectionTexts{
    {{"H2D", Direction::kHostToDevice},
     {"D2H", Direction::kDeviceToHost},
     {"D2D", Direction::kDeviceToDevice},
     {"H2H", Direction::kHostToHost}}};
constexpr std::array<std::pair<const char*, Memory>, 5> kMemoryTexts{
    {{"pageable", Memory::kPageable},
     {"pinned", Memory::kPinned},
     {"registered", Memory::kRegistered},
     {"managed", Memory::kManaged},
     {"device", Memory::kDevice}}};

template <class Names, class Value>
const char* name_in(const Names& names, Value value) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return "";
}

// What is wrong is thrown, inside this file only: it can be anywhere in the text.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const json& member(const json& object, const char* name) {
  if (!object.is_object()) throw Wrong(fmt::format("the parent of \"{}\" is not an object", name));
  const auto found = object.find(name);
  if (found == object.end()) throw Wrong(fmt::format("\"{}\" is missing", name));
  return *found;
}

double number(const json& object, const char* name, double least = 0, double most = kMostNs) {
  const json& value = member(object, name);
  if (!value.is_number()) throw Wrong(fmt::format("\"{}\" is not a number", name));
  const double result = value.get<double>();
  if (!(result >= least && result <= most))
    throw Wrong(fmt::format("\"{}\" is {}, allowed is {} to {}", name, result, least, most));
  return result;
}

uint64_t bytes_of(const json& object, const char* name) {
  return static_cast<uint64_t>(number(object, name, 1, static_cast<double>(kMostProfileBytes)));
}

const json& list(const json& object, const char* name) {
  const json& value = member(object, name);
  if (!value.is_array() || value.empty() || value.size() > kMostEntries)
    throw Wrong(fmt::format("\"{}\" is not a list of 1 to {} entries", name, kMostEntries));
  return value;
}

template <class Names>
auto choice(const json& object, const char* name, const Names& names) {
  const json& value = member(object, name);
  if (value.is_string()) {
    for (const auto& [key, result] : names) {
      if (value.get_ref<const std::string&>() == key) return result;
    }
  }
  throw Wrong(fmt::format("\"{}\" is {}, which is unknown", name,
                          value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 40)));
}

template <class Entries, class Key>
void require_rising(const Entries& entries, Key key, const char* name) {
  const auto falls = [key](const auto& a, const auto& b) { return a.*key >= b.*key; };
  if (std::adjacent_find(entries.begin(), entries.end(), falls) != entries.end())
    throw Wrong(fmt::format("\"{}\" does not rise", name));
}

Curve read_curve(const json& object) {
  Curve curve;
  curve.footprint = bytes_of(object, "footprint");
  for (const json& entry : list(object, "points")) {
    curve.points.push_back({bytes_of(entry, "bytes"), number(entry, "copy_ns"),
                            number(entry, "single_ns"), number(entry, "call_ns"),
                            number(entry, "item_ns")});
  }
  require_rising(curve.points, &CurvePoint::bytes, "bytes");
  return curve;
}

Lane read_lane(const json& object) {
  Lane lane;
  lane.direction = choice(object, "direction", kDirectionTexts);
  lane.memory = choice(object, "memory", kMemoryTexts);
  lane.submit_ns = number(object, "submit_ns");
  lane.batch_submit_ns = number(object, "batch_submit_ns");
  lane.item_submit_ns = number(object, "item_submit_ns");
  lane.batch_ns = number(object, "batch_ns");
  for (const json& entry : list(object, "curves"))
    lane.curves.push_back(read_curve(entry));
  require_rising(lane.curves, &Curve::footprint, "footprint");
  return lane;
}

Profile read(const json& object) {
  if (!object.is_object() || !object.contains("ferry_profile"))
    throw Wrong("it has no member \"ferry_profile\"");
  if (object["ferry_profile"] != kProfileFormat)
    throw Wrong(fmt::format("\"ferry_profile\" is not {}, the only format known", kProfileFormat));
  Profile profile;
  const json& device = member(object, "device");
  if (!device.is_string()) throw Wrong("\"device\" is not a string");
  profile.device = device.get<std::string>();
  const json& has_batch = member(object, "has_batch");
  if (!has_batch.is_boolean()) throw Wrong("\"has_batch\" is neither true nor false");
  profile.has_batch = has_batch.get<bool>();
  profile.synchronize_ns = number(object, "synchronize_ns");
  profile.record_ns = number(object, "record_ns");
  profile.wait_ns = number(object, "wait_ns");
  profile.cross_ns = number(object, "cross_ns");
  profile.fill_submit_ns = number(object, "fill_submit_ns");
  profile.fill_bytes_per_ns = number(object, "fill_bytes_per_ns", 1e-9, 1e9);
  for (const json& entry : list(object, "overlaps")) {
    profile.overlaps.push_back({bytes_of(entry, "bytes"), number(entry, "same_way", 0.01, 2),
                                number(entry, "both_ways", 0.01, 2)});
  }
  require_rising(profile.overlaps, &Overlap::bytes, "bytes");
  for (const json& entry : list(object, "lanes"))
    profile.lanes.push_back(read_lane(entry));
  return profile;
}

// Tenths of nanoseconds are more than enough, and easier to read.
double rounded(double ns) {
  return std::round(ns * 10) / 10;
}

json json_of(const Lane& lane) {
  json curves = json::array();
  for (const Curve& curve : lane.curves) {
    json points = json::array();
    for (const CurvePoint& point : curve.points) {
      points.push_back({{"bytes", point.bytes},
                        {"copy_ns", rounded(point.copy_ns)},
                        {"single_ns", rounded(point.single_ns)},
                        {"call_ns", rounded(point.call_ns)},
                        {"item_ns", rounded(point.item_ns)}});
    }
    curves.push_back({{"footprint", curve.footprint}, {"points", points}});
  }
  return {{"direction", name_in(kDirectionTexts, lane.direction)},
          {"memory", name_in(kMemoryTexts, lane.memory)},
          {"submit_ns", rounded(lane.submit_ns)},
          {"batch_submit_ns", rounded(lane.batch_submit_ns)},
          {"item_submit_ns", rounded(lane.item_submit_ns)},
          {"batch_ns", rounded(lane.batch_ns)},
          {"curves", curves}};
}

}  // namespace

std::string read_profile(std::string_view text, Profile& profile) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) return "it is not JSON";
  try {
    profile = read(object);
  } catch (const Wrong& wrong) {
    return wrong.what();
  }
  return {};
}

std::string load_profile(const std::string& path, Profile& profile) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("{}: it cannot be opened", path);
  std::string text(kMostFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (file.bad() || text.empty()) return fmt::format("{}: it is empty or cannot be read", path);
  if (text.size() > kMostFile) return fmt::format("{}: it is larger than any profile", path);
  const std::string wrong = read_profile(text, profile);
  return wrong.empty() ? "" : fmt::format("{}: not a profile: {}", path, wrong);
}

std::string profile_text(const Profile& profile) {
  json overlaps = json::array();
  for (const Overlap& overlap : profile.overlaps) {
    overlaps.push_back({{"bytes", overlap.bytes},
                        {"same_way", std::round(overlap.same_way * 1000) / 1000},
                        {"both_ways", std::round(overlap.both_ways * 1000) / 1000}});
  }
  json lanes = json::array();
  for (const Lane& lane : profile.lanes)
    lanes.push_back(json_of(lane));
  const json object{{"ferry_profile", kProfileFormat},
                    {"device", profile.device},
                    {"has_batch", profile.has_batch},
                    {"synchronize_ns", rounded(profile.synchronize_ns)},
                    {"record_ns", rounded(profile.record_ns)},
                    {"wait_ns", rounded(profile.wait_ns)},
                    {"cross_ns", rounded(profile.cross_ns)},
                    {"fill_submit_ns", rounded(profile.fill_submit_ns)},
                    {"fill_bytes_per_ns", profile.fill_bytes_per_ns},
                    {"overlaps", overlaps},
                    {"lanes", lanes}};
  return object.dump(1, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace ferry::tools::replay
