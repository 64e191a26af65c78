// SPDX-License-Identifier: Apache-2.0
// Findings that are known and meant to stay: a file with lines of the form
//     rule  pattern  # reason
#pragma once

#include "layers/check/report/described.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::check {

// Whether `text` is what `pattern` says; a * stands for any characters.
bool matches(std::string_view pattern, std::string_view text);

// Not safe to share between threads while it is parsed; constant after that.
class Suppressions {
 public:
  // Returns "" or what is wrong, with the name of the file and the line.
  std::string load(const std::string& path, std::span<const RuleInfo* const> rules);
  std::string parse(std::string_view text, const std::string& name,
                    std::span<const RuleInfo* const> rules);

  bool is_empty() const { return lines_.empty(); }
  // The reason to be silent about a finding; null when there is none.
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
