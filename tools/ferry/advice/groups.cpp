// SPDX-License-Identifier: Apache-2.0
// Grouping by call site, and the words that several rules use.
#include "advice/groups.h"

#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_set>

namespace ferry::tools::advice {

void Group::add(const trace::Work& work) {
  witnesses.add_work(work);
  if (work.call_index != UINT32_MAX) witnesses.add_call(work.call_index);
  if (example == nullptr) example = &work;
  is_mixed = is_mixed || example->direction != work.direction || example->memory != work.memory;
  ++works;
  bytes += work.bytes;
}

Group& Groups::of(uint64_t key) {
  const auto [known, is_new] = by_key_.try_emplace(key, groups_.size());
  if (is_new) groups_.emplace_back(survey_);
  return groups_[known->second];
}

Group& Groups::of_works(std::span<const uint32_t> works) {
  std::unordered_set<uint64_t> seen;
  uint64_t key = 0;
  for (const uint32_t index : works) {
    const uint64_t site = site_key(survey_.trace().calls[survey_.trace().works[index].call_index]);
    if (seen.insert(site).second) key += site;
  }
  return of(key);
}

std::vector<Group*> Groups::sorted() {
  std::vector<Group*> result;
  result.reserve(groups_.size());
  for (Group& group : groups_)
    result.push_back(&group);
  std::stable_sort(result.begin(), result.end(),
                   [](const Group* a, const Group* b) { return a->works > b->works; });
  return result;
}

std::string way_text(const Group& group) {
  if (group.is_mixed) return "in several directions";
  const trace::Work& work = *group.example;
  constexpr std::string_view kMemories[] = {"unknown",    "pageable", "pinned",
                                            "registered", "managed",  "device"};
  const std::string_view memory = kMemories[static_cast<size_t>(work.memory)];
  switch (work.direction) {
    case trace::Direction::kHostToDevice:
      return fmt::format("H2D from {} memory", memory);
    case trace::Direction::kDeviceToHost:
      return fmt::format("D2H to {} memory", memory);
    case trace::Direction::kDeviceToDevice:
      return "D2D";
    case trace::Direction::kHostToHost:
      return "H2H";
    case trace::Direction::kNone:
      break;
  }
  return "without bytes";
}

std::string average_text(const Group& group) {
  const uint64_t average = group.works == 0 ? 0 : group.bytes / group.works;
  const bool is_same = group.example != nullptr && group.example->bytes == average &&
                       group.bytes == average * group.works;
  return is_same ? size_text(average) : "about " + size_text(average);
}

std::string time_text(int64_t ns) {
  constexpr std::string_view kUnits[] = {"ns", "us", "ms", "s"};
  auto value = static_cast<double>(ns);
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && std::abs(value) >= 999.95; ++unit)
    value /= 1000;
  return unit == 0 ? fmt::format("{} ns", ns) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string count_text(uint64_t count, const char* noun) {
  const std::string_view word = noun;
  if (count == 1) return fmt::format("1 {}", word);
  if (word.ends_with("copy") || word.ends_with("try"))
    return fmt::format("{} {}ies", count, word.substr(0, word.size() - 1));
  return fmt::format("{} {}{}", count, word, word.ends_with("ch") ? "es" : "s");
}

}  // namespace ferry::tools::advice
