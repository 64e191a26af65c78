// SPDX-License-Identifier: Apache-2.0
// Parses one entry of FERRY_FAIL.
#include "base/failure_rule.h"

#include <charconv>

namespace ferry {
namespace {

constexpr uint32_t kMillion = 1'000'000;

template <class Number>
bool parse_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// Removes the ending.
bool take_ending(std::string_view& text, std::string_view ending) {
  if (text.size() < ending.size() || text.substr(text.size() - ending.size()) != ending) {
    return false;
  }
  text.remove_suffix(ending.size());
  return true;
}

bool take_start(std::string_view& text, std::string_view start) {
  if (text.substr(0, start.size()) != start) return false;
  text.remove_prefix(start.size());
  return true;
}

// A percentage with up to four digits behind the point, as millionths; more than 0, up to 100.
bool parse_percentage(std::string_view text, uint32_t& millionths) {
  constexpr size_t kMostDigits = 4;
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  uint32_t percent = 0;
  if (!parse_whole(whole, percent) || percent > 100) return false;
  millionths = percent * (kMillion / 100);
  if (point != std::string_view::npos) {
    std::string digits(text.substr(point + 1));
    uint32_t fraction = 0;
    if (digits.size() > kMostDigits || !parse_whole(digits, fraction)) return false;
    for (size_t i = digits.size(); i < kMostDigits; ++i)
      fraction *= 10;
    millionths += fraction;
  }
  return 0 < millionths && millionths <= kMillion;
}

bool parse_when(std::string_view text, FailureRule& rule) {
  if (text == "*") return true;
  if (take_ending(text, "%")) {
    uint32_t millionths = 0;
    if (!parse_percentage(text, millionths)) return false;
    rule.millionths = millionths;
    return true;
  }
  return parse_whole(text, rule.nth) && rule.nth != 0;
}

bool parse_where(std::string_view text, FailureRule& rule) {
  if (text == "run") return rule.is_at_run = true;
  if (take_start(text, "stream")) {
    int32_t stream = 0;
    if (!parse_whole(text, stream) || stream < 0) return false;
    rule.stream = stream;
    return true;
  }
  return take_start(text, "seed") && parse_whole(text, rule.seed);
}

bool parse_delay(std::string_view text, std::chrono::microseconds& delay) {
  // An hour: longer delays are mistakes, and must not overflow.
  constexpr uint64_t kLongest = uint64_t{3600} * kMillion;
  uint64_t unit = 0;
  if (take_ending(text, "us")) {
    unit = 1;
  } else if (take_ending(text, "ms")) {
    unit = 1000;
  } else if (take_ending(text, "s")) {
    unit = kMillion;
  }
  uint64_t number = 0;
  if (unit == 0 || !parse_whole(text, number) || number == 0) return false;
  if (number > kLongest / unit) return false;
  delay = std::chrono::microseconds(number * unit);
  return true;
}

bool parse_what(std::string_view text, FailureRule& rule) {
  if (text == "uce") {
    rule.damages_memory = true;
    return !rule.is_at_run;
  }
  if (parse_delay(text, rule.delay)) return true;
  return parse_whole(text, rule.code) && rule.code != ACL_SUCCESS;
}

}  // namespace

std::optional<FailureRule> parse_failure_rule(std::string_view text) {
  const size_t colon = text.find(':');
  const size_t equals = text.find('=');
  if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon) {
    return {};
  }
  FailureRule rule;
  rule.function = text.substr(0, colon);
  std::string_view head = text.substr(colon + 1, equals - colon - 1);
  for (bool is_first = true;; is_first = false) {
    const size_t at = head.find('@');
    const std::string_view part = head.substr(0, at);
    if (!(is_first ? parse_when(part, rule) : parse_where(part, rule))) return {};
    if (at == std::string_view::npos) break;
    head.remove_prefix(at + 1);
  }
  if (!parse_what(text.substr(equals + 1), rule)) return {};
  return rule;
}

}  // namespace ferry
