// SPDX-License-Identifier: Apache-2.0
// Advice as text for a terminal.
#include "advice/advice.h"
#include "advice/groups.h"
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ferry::tools::advice {
namespace {

constexpr size_t kIndent = 9;  // behind the labels

std::string labelled(std::string_view label, std::string_view text, size_t width) {
  return fmt::format("   {:<6}{}\n", label, wrapped(text, kIndent, width));
}

std::string evidence_text(const Evidence& evidence) {
  const bool has_works = !evidence.works.empty();
  std::string numbers;
  const auto append = [&numbers](uint64_t number) {
    fmt::format_to(std::back_inserter(numbers), "{}{}", numbers.empty() ? "" : ", ", number);
  };
  if (has_works) {
    std::for_each(evidence.works.begin(), evidence.works.end(), append);
  } else {
    std::for_each(evidence.calls.begin(), evidence.calls.end(), append);
  }
  const uint64_t count = has_works ? evidence.work_count : evidence.call_count;
  const size_t shown = has_works ? evidence.works.size() : evidence.calls.size();
  return fmt::format("{} {}{}", has_works ? "work" : "call", numbers,
                     count > shown ? fmt::format(", … {} in all", count) : "");
}

}  // namespace

std::string place_text(const Place& place, const NameOfSite& name_of) {
  std::string where = place.script;
  if (where.empty() && place.site != 0 && name_of) where = name_of(place.site);
  if (where.empty() && place.site != 0) where = fmt::format("{:#x}", place.site);
  return where.empty() ? "unknown" : where;
}

std::string gain_text(const Advice& advice) {
  const double share =
      advice.now > 0 ? static_cast<double>(advice.gain()) / static_cast<double>(advice.now) : 0;
  return fmt::format("about {} of {} ({:.0f} %)", time_text(advice.gain()), time_text(advice.now),
                     share * 100);
}

std::string advice_text(const std::vector<Advice>& list, const NameOfSite& name_of, size_t width) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    const Advice& advice = list[i];
    if (i > 0) text += "\n";
    text += fmt::format("{}. {}\n", i + 1, painted(Paint::kBold, advice.title));
    text += labelled("gain", painted(Paint::kGood, gain_text(advice)), width);
    text += labelled("seen", advice.text, width);
    for (const Place& place : advice.places) {
      text += labelled(&place == advice.places.data() ? "at" : "",
                       fmt::format("{}  ({}, {})", place_text(place, name_of), place.function,
                                   count_text(place.calls, "call")),
                       width);
    }
    text += labelled("do", advice.to_do, width);
    for (const std::string& line : advice.hint)
      text += fmt::format("   {:6}  {}\n", "", painted(Paint::kDim, line));
    text += labelled("trace", evidence_text(advice.evidence), width);
    text += labelled("more", advice.link(), width);
  }
  return text;
}

}  // namespace ferry::tools::advice
