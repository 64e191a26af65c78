// SPDX-License-Identifier: Apache-2.0
// The names of all functions of the interface, read from the contract of the ABI tests. Header
// only.
#pragma once

#include "support/conformance.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace conformance {

inline std::filesystem::path contract_path() {
  const std::filesystem::path here(__FILE__);
  return here.parent_path().parent_path().parent_path() / "abi" / "contract.json";
}

// Parses as little of the file as needed: every function is one line that begins with its name and
// has an entry "real".
inline std::vector<std::string> contract_functions() {
  std::ifstream file(contract_path());
  const std::string opening = "{\"name\": \"";
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    const size_t start = line.find(opening);
    if (start == std::string::npos || line.find("\"real\": ") == std::string::npos) continue;
    const size_t name = start + opening.size();
    names.push_back(line.substr(name, line.find('"', name) - name));
  }
  EXPECT_GT(names.size(), 400u) << "the contract of the ABI tests was not found";
  return names;
}

}  // namespace conformance

// Skips the test where the binary runs without the sources it was built from.
#define NEEDS_THE_CONTRACT()                                    \
  if (!std::filesystem::exists(::conformance::contract_path())) \
  GTEST_SKIP() << "needs " << ::conformance::contract_path() << ", which is missing"
