// SPDX-License-Identifier: Apache-2.0
// Reports of the checker, the files that FERRY_REPORT names, as ferry report shows them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ferry::tools::report {

/// Whether the file may be a report of the checker: whether it holds a JSON object.
bool may_be_findings(const std::string& path);

/// Returns "", or one line that says what is wrong with the file.
std::string read_findings(const std::string& path, nlohmann::ordered_json& findings);

/// For the terminal. Members that are missing or of another type are left out.
void print_findings(const nlohmann::ordered_json& findings);

}  // namespace ferry::tools::report
