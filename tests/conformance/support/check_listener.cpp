// SPDX-License-Identifier: Apache-2.0
// The conformance tests under the checker: with FERRY_CHECK set, a test fails when a rule of
// severity error fired that neither the code of a call nor the table of justified findings
// explains. Without FERRY_CHECK nothing here runs.
#include "support/conformance.h"
#include "support/justified_findings.h"

#include "ferry/ferry.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
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

// Without the parameter of a test that has one.
std::string name_of(const ::testing::TestInfo& test) {
  const std::string name = test.name();
  return std::string(test.test_suite_name()) + "." + name.substr(0, name.find('/'));
}

bool is_justified(const std::string& test, const std::string& rule) {
  for (const JustifiedFinding& justified : kJustifiedFindings) {
    if (rule == justified.rule && fnmatch(justified.tests, test.c_str(), 0) == 0) return true;
  }
  return false;
}

// The rules that have fired, and how often.
std::map<std::string, uint64_t> counts_now() {
  std::map<std::string, uint64_t> counts;
  for (const std::string& rule : error_rules()) {
    const uint64_t count = ferryCheckCount(rule.c_str());
    if (count != FERRY_NOT_COUNTED) counts[rule] = count;
  }
  return counts;
}

// Used by the thread that runs the tests. It calls the library after a test only: some tests have
// to be the first to call it.
class CheckListener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const std::string name = name_of(test);
    const std::map<std::string, uint64_t> counts = counts_now();
    uint64_t justified = 0;
    std::string fired;
    for (const auto& [rule, count] : counts) {
      if (count == counts_[rule]) continue;
      if (is_justified(name, rule)) {
        justified += count - counts_[rule];
      } else {
        fired += " " + rule;
      }
    }
    const uint64_t unexplained = ferryCheckUnexplained();
    EXPECT_LE(unexplained - unexplained_, justified)
        << name << ": the checker reported what no code explains, by one of these rules:" << fired
        << "; if the test does so on purpose, say why in support/justified_findings.h";
    counts_ = counts;
    unexplained_ = unexplained;
  }

 private:
  // When the test before ended.
  std::map<std::string, uint64_t> counts_;
  uint64_t unexplained_ = 0;
};

// The tests' main function comes with GoogleTest, so the listener enters by itself.
const bool kIsListening = [] {
  if (!is_checked()) return false;
  ::testing::UnitTest::GetInstance()->listeners().Append(new CheckListener);
  return true;
}();

}  // namespace
}  // namespace conformance
