// SPDX-License-Identifier: Apache-2.0
// The report for people. Every line begins with "ferry:", to tell it from the program's own output.
#pragma once

#include "layers/check/report/described.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::layers::check {

struct TextStyle {
  bool has_colours = false;
  bool is_terminal = false;
  size_t width = 100;
};

// The style for standard error; a terminal's width and colour settings are honoured.
TextStyle style_of_stderr();

std::string finding_text(const DescribedFinding& finding, const std::string& folder,
                         const TextStyle& style);
// States that further places of a rule are only counted.
std::string enough_text(const RuleInfo& rule, uint64_t places, const TextStyle& style);
// The findings by rule, and a last line that says how much was checked.
std::string summary_text(const Overview& overview, const TextStyle& style);
// The end of a program that made no call of the API.
std::string silence_text(const Overview& overview, const std::vector<std::string>& command,
                         bool has_children, const TextStyle& style);
// GitHub annotations, shown beside the lines of a change: one workflow command per finding.
std::string github_annotations(const Overview& overview);

}  // namespace ferry::layers::check
