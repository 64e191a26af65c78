// SPDX-License-Identifier: Apache-2.0
// Parses suppressions and matches them against findings.
#include "layers/check/report/suppressions.h"

#include "base/user_file.h"

#include <algorithm>

namespace ferry::layers::check {
namespace {

constexpr std::string_view kSpace = " \t\r";
constexpr uint64_t kMostBytes = uint64_t{16} << 20;  // of a suppressions file

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// A pattern matches the whole path, or its end from some folder or file name on.
bool matches_path(std::string_view pattern, std::string_view path) {
  if (matches(pattern, path)) return true;
  for (size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    if (matches(pattern, path.substr(slash + 1))) return true;
  }
  return false;
}

bool matches_frame(std::string_view pattern, const Frame& frame) {
  return (!frame.function.empty() &&
          (matches(pattern, frame.function) || matches(pattern, short_function(frame.function)))) ||
         (!frame.file.empty() && matches_path(pattern, frame.file)) ||
         (!frame.module.empty() && matches_path(pattern, frame.module));
}

bool matches_place(std::string_view pattern, const DescribedPlace& place) {
  return (!place.function.empty() && matches(pattern, place.function)) ||
         std::any_of(place.frames.begin(), place.frames.end(),
                     [&](const Frame& frame) { return matches_frame(pattern, frame); }) ||
         std::any_of(place.script.begin(), place.script.end(),
                     [&](const Frame& frame) { return matches_frame(pattern, frame); });
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  // Where to resume when the text after the latest * does not match: one character further.
  size_t star = std::string_view::npos;
  size_t retry = 0;
  size_t p = 0;
  size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string Suppressions::load(const std::string& path, std::span<const RuleInfo* const> rules) {
  std::string text;
  const std::string wrong = read_user_file(path, kMostBytes, text);
  if (!wrong.empty()) return path + ": the file " + wrong;
  return parse(text, path, rules);
}

std::string Suppressions::parse(std::string_view text, const std::string& name,
                                std::span<const RuleInfo* const> rules) {
  size_t number = 1;
  for (size_t start = 0; start < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string wrong = parse_line(trimmed(text.substr(start, end - start)), rules);
    if (!wrong.empty()) {
      return std::string(name).append(":").append(std::to_string(number)).append(": ") + wrong;
    }
    start = end + 1;
  }
  return {};
}

std::string Suppressions::parse_line(std::string_view text,
                                     std::span<const RuleInfo* const> rules) {
  if (text.empty() || text.front() == '#') return {};
  const size_t hash = std::min(text.find('#'), text.size());
  const std::string_view what = trimmed(text.substr(0, hash));
  const std::string_view reason = trimmed(text.substr(std::min(hash + 1, text.size())));
  const size_t space = std::min(what.find_first_of(kSpace), what.size());
  const std::string_view rule = what.substr(0, space);
  const std::string_view pattern = trimmed(what.substr(space));
  const bool is_known = std::any_of(rules.begin(), rules.end(),
                                    [&](const RuleInfo* known) { return rule == known->name; });
  if (!is_known) return "\"" + std::string(rule) + "\" is no rule";
  if (pattern.empty()) return "no pattern: a line is rule, pattern, # and a reason";
  if (reason.empty()) return "no reason: say behind a # why this may stay";
  lines_.push_back({std::string(rule), std::string(pattern), std::string(reason)});
  return {};
}

const std::string* Suppressions::reason_for(const DescribedFinding& finding) const {
  for (const Line& line : lines_) {
    if (line.rule != finding.rule->name) continue;
    if (matches(line.pattern, finding.sentence) ||
        std::any_of(finding.places.begin(), finding.places.end(), [&](const DescribedPlace& place) {
          return matches_place(line.pattern, place);
        })) {
      return &line.reason;
    }
  }
  return nullptr;
}

}  // namespace ferry::layers::check
