// SPDX-License-Identifier: Apache-2.0
// Findings as reported: places as functions, files and lines, and the number of occurrences. Text
// and JSON are made from this only.
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
  std::string function;  // of the API; "" outside any
  std::string work{};    // what it submitted, in the terms of a framework; or ""
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

// The counts of one rule.
struct RuleTally {
  const RuleInfo* rule = nullptr;
  uint64_t findings = 0;     // including repeated, excluding suppressed ones
  uint64_t unexplained = 0;  // of them: not explained by a code that a call returned
  uint64_t places = 0;       // distinct places kept, excluding suppressed ones
  uint64_t suppressed = 0;   // findings
  bool is_full = false;      // further places are counted as findings but not kept
};

// All findings so far. Every member has a default, so that designated initialisers can omit some.
struct Overview {
  std::string schedule{};
  std::string folder{};  // working directory at start; paths below it are shown without it
  std::string file{};    // of the JSON report; "" for none
  std::string again{};   // the command that repeats the run; "" when it is not known
  bool is_complete = false;
  uint64_t calls = 0;    // of the API that were checked
  uint64_t streams = 0;  // that there have been
  std::span<const DescribedFinding> findings{};
  std::span<const RuleTally> tallies{};

  uint64_t count(Severity severity) const;
  uint64_t suppressed() const;
};

// The program line at which to show a finding.
struct Spot {
  std::string path;  // relative to the folder if below it; "" when no line is known
  uint32_t line = 0;
};
Spot spot_of(const DescribedFinding& finding, const std::string& folder);

// A path as shown: without the folder if it lies below it.
std::string shown_path(const std::string& path, const std::string& folder);

}  // namespace ferry::layers::check
