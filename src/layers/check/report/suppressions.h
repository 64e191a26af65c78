// SPDX-License-Identifier: Apache-2.0
// Intentional findings: a file with lines of the form
//     rule  pattern  # reason
#pragma once

#include "layers/check/report/described.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::check {

// Whether `text` matches `pattern`; a * stands for any characters.
bool matches(std::string_view pattern, std::string_view text);

// Not safe to share between threads during parsing; constant afterwards.
class Suppressions {
 public:
  // Returns "" or what is wrong, with file name and line.
  std::string load(const std::string& path, std::span<const RuleInfo* const> rules);
  std::string parse(std::string_view text, const std::string& name,
                    std::span<const RuleInfo* const> rules);

  bool is_empty() const { return lines_.empty(); }
  // The reason why a finding is suppressed; null when it is not.
  const std::string* reason_for(const DescribedFinding& finding) const;

 private:
  struct Line {
    std::string rule;
    std::string pattern;
    std::string reason;
  };
  std::string parse_line(std::string_view text, std::span<const RuleInfo* const> rules);

  std::vector<Line> lines_;
};

}  // namespace ferry::layers::check
