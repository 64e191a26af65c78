// SPDX-License-Identifier: Apache-2.0
// The conformance tests under the checker: with FERRY_CHECK set, a test fails when a rule of
// severity error fired, unless a call returned a code that the rule explains, or the table of
// justified findings lists the test and the rule. Without FERRY_CHECK nothing here runs.
#include "support/conformance.h"
#include "support/justified_findings.h"

#include "ferry/ferry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace conformance {
namespace {

std::vector<std::string> error_rules() {
  std::vector<std::string> names;
  ferryRule rule;
  for (size_t i = 0; ferryGetRule(i, &rule) == ACL_SUCCESS; ++i) {
    if (std::strcmp(rule.severity, "error") == 0) names.emplace_back(rule.name);
  }
  return names;
}

// The name without the parameter of a parameterised test.
std::string name_of(const ::testing::TestInfo& test) {
  const std::string name = test.name();
  return std::string(test.test_suite_name()) + "." + name.substr(0, name.find('/'));
}

bool is_justified(const std::string& test, const std::string& rule) {
  for (const JustifiedFindings& justified : kJustifiedFindings) {
    if (rule == justified.rule && std::ranges::find(justified.tests, test) != justified.tests.end())
      return true;
  }
  return false;
}

// Used by the thread that runs the tests. It calls the library only after a test: some tests have
// to make the first call.
class CheckListener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const std::string name = name_of(test);
    for (const std::string& rule : error_rules()) {
      const uint64_t count = ferryCheckUnexplained(rule.c_str());
      const uint64_t before = std::exchange(counts_[rule], count);
      EXPECT_TRUE(count == before || is_justified(name, rule))
          << name << ": the checker reported " << rule << ", which no returned code "
          << "explains; if the test does so on purpose, say why in support/justified_findings.h";
    }
  }

 private:
  std::map<std::string, uint64_t> counts_;  // by rule, at the end of the previous test
};

// GoogleTest provides the main function, so the listener registers itself.
const bool kIsListening = [] {
  if (!is_checked()) return false;
  ::testing::UnitTest::GetInstance()->listeners().Append(new CheckListener);
  return true;
}();

}  // namespace
}  // namespace conformance
