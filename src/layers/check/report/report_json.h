// SPDX-License-Identifier: Apache-2.0
// The report for machines.
#pragma once

#include "layers/check/report/described.h"

#include <string>

namespace ferry::layers::check {

// Incremented when a reader of the old form would misunderstand the new one.
constexpr int kReportSchema = 1;

std::string report_json(const Overview& overview);

// Replaces the file atomically: a reader sees the old content or the new one. False when it cannot
// be written.
bool replace_file(const std::string& path, const std::string& text);

}  // namespace ferry::layers::check
