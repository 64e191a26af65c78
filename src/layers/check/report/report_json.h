// SPDX-License-Identifier: Apache-2.0
// The report for machines.
#pragma once

#include "layers/check/report/described.h"

#include <string>

namespace ferry::layers::check {

// Changes when a reader of the old form would misunderstand the new one.
constexpr int kReportSchema = 1;

std::string report_json(const Overview& overview);

// Puts the text in the place of the file as a whole: a reader sees the old one or the new one.
// False when it cannot be written.
bool replace_file(const std::string& path, const std::string& text);

}  // namespace ferry::layers::check
