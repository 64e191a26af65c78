// SPDX-License-Identifier: Apache-2.0
// The report for people. Every line begins with "ferry:", so that it is found among the program's
// own output.
#pragma once

#include "layers/check/report/described.h"

#include <cstddef>
#include <string>

namespace ferry::layers::check {

struct TextStyle {
  bool has_colours = false;
  bool is_terminal = false;
  size_t width = 100;
};

// For what standard error is: a terminal, whose width and wishes count, or not.
TextStyle style_of_stderr();

std::string finding_text(const DescribedFinding& finding, const std::string& folder,
                         const TextStyle& style);
// That further places of a rule are counted only.
std::string enough_text(const RuleInfo& rule, uint64_t places, const TextStyle& style);
// "" when there is nothing to say.
std::string summary_text(const Overview& overview, const TextStyle& style);
// What GitHub shows beside the lines of a change: one command a finding.
std::string github_annotations(const Overview& overview);

}  // namespace ferry::layers::check
