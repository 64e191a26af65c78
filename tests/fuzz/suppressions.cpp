// SPDX-License-Identifier: Apache-2.0
// Suppressions: a file, matched against a finding whose texts come from the file too, and the
// matching of patterns against a plain implementation.
#include "layers/check/report/suppressions.h"

#include "fuzz.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ferry;
using namespace ferry::layers::check;

namespace {

constexpr RuleInfo kRace{.name = "stream-race"};
constexpr RuleInfo kLeak{.name = "leak"};
constexpr const RuleInfo* kRules[] = {&kRace, &kLeak};

// can[t]: whether the pattern so far matches the first t characters.
bool matches_plainly(std::string_view pattern, std::string_view text) {
  std::vector<bool> can(text.size() + 1);
  can[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(text.size() + 1);
    for (size_t t = 0; t <= text.size(); ++t) {
      if (c == '*') {
        next[t] = can[t] || (t > 0 && next[t - 1]);
      } else {
        next[t] = t > 0 && can[t - 1] && text[t - 1] == c;
      }
    }
    can = next;
  }
  return can[text.size()];
}

DescribedFinding finding_of(std::string_view text) {
  const std::string name(text);
  Frame frame;
  frame.function = name;
  frame.file = name;
  frame.module = name;
  DescribedFinding finding;
  finding.rule = &kLeak;
  finding.sentence = name;
  finding.places.push_back({.role = "", .function = name, .frames = {frame}, .script = {frame}});
  return finding;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const std::string_view first = input.substr(0, input.find('\n'));
  const std::string_view rest = input.substr(std::min(first.size() + 1, input.size()));
  Suppressions suppressions;
  const std::string wrong = suppressions.parse(input, "file", kRules);
  fuzz::require(wrong.empty() || wrong.starts_with("file:"), "an error names its line");
  const std::string* reason = suppressions.reason_for(finding_of(first));
  fuzz::require(reason == nullptr || !reason->empty(), "a suppression has a reason");
  if (size <= 512) {
    fuzz::require(matches(first, rest) == matches_plainly(first, rest), "patterns match as told");
  }
  return 0;
}
