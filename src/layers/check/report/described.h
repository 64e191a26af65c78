// SPDX-License-Identifier: Apache-2.0
// Findings as they are told: places as functions, files and lines, and how often each was met. Text
// and JSON are made from this and nothing else.
#pragma once

#include "layers/check/report/report.h"
#include "layers/check/report/symbols.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ferry::layers::check {

struct DescribedPlace {
  std::string role;
  std::string function;  // of the API; "" outside of any
  std::vector<Frame> frames;
  std::vector<Frame> script;  // of an interpreter, innermost first: function, file and line
};

struct DescribedFinding {
  const RuleInfo* rule = nullptr;
  std::string sentence;
  std::vector<DescribedPlace> places;
  std::string advice;
  aclError code = 0;
  uint64_t count = 1;
  bool is_suppressed = false;
  std::string reason;  // why it is suppressed
};

DescribedFinding describe(const Finding& finding);

// What is known of one rule.
struct RuleTally {
  const RuleInfo* rule = nullptr;
  uint64_t findings = 0;     // repeated ones included, suppressed ones excluded
  uint64_t unexplained = 0;  // of them: by no code that a call has returned
  uint64_t places = 0;       // distinct ones that are kept, suppressed ones excluded
  uint64_t suppressed = 0;   // findings
  bool is_full = false;      // further places are counted as findings, and not kept
};

// All that has been found so far. Each member has a default, so that a few can be named.
struct Overview {
  std::string schedule{};
  std::string folder{};  // where the program was started: paths below it are shown without it
  std::string file{};    // of the JSON report; "" for none
  bool is_complete = false;
  std::span<const DescribedFinding> findings{};
  std::span<const RuleTally> tallies{};

  uint64_t count(Severity severity) const;
  uint64_t suppressed() const;
};

// The line of the program that a finding is best shown at.
struct Spot {
  std::string path;  // without the folder, if it lies below it; "" when no line is known
  uint32_t line = 0;
};
Spot spot_of(const DescribedFinding& finding, const std::string& folder);

// A path as it is shown: without the folder if it lies below it.
std::string shown_path(const std::string& path, const std::string& folder);

}  // namespace ferry::layers::check
