// SPDX-License-Identifier: Apache-2.0
// Advice as JSON.
#include "advice/advice_json.h"

#include <fmt/format.h>

namespace ferry::tools::advice {
namespace {

nlohmann::ordered_json place_json(const Place& place, const NameOfSite& name_of) {
  nlohmann::ordered_json json{{"function", place.function}, {"place", place_text(place, name_of)}};
  if (place.site != 0) json["site"] = fmt::format("{:#x}", place.site);
  json["calls"] = place.calls;
  return json;
}

}  // namespace

nlohmann::ordered_json advice_json(const std::vector<Advice>& list, const NameOfSite& name_of) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const Advice& advice : list) {
    nlohmann::ordered_json places = nlohmann::ordered_json::array();
    for (const Place& place : advice.places)
      places.push_back(place_json(place, name_of));
    result.push_back({{"rule", advice.rule},
                      {"title", advice.title},
                      {"text", advice.text},
                      {"places", std::move(places)},
                      {"works", advice.evidence.works},
                      {"work_count", advice.evidence.work_count},
                      {"calls", advice.evidence.calls},
                      {"call_count", advice.evidence.call_count},
                      {"now_ns", advice.now},
                      {"predicted_ns", advice.predicted},
                      {"gain_ns", advice.gain()},
                      {"to_do", advice.to_do},
                      {"hint", advice.hint},
                      {"link", advice.link()}});
  }
  return result;
}

}  // namespace ferry::tools::advice
