// SPDX-License-Identifier: Apache-2.0
// Patterns, and which lines of a suppressions file are accepted.
#include "layers/check/report/suppressions.h"

#include <gtest/gtest.h>

#include <string>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kRace{.name = "stream-race"};
constexpr RuleInfo kLeak{.name = "leak"};
constexpr const RuleInfo* kRules[] = {&kRace, &kLeak};

TEST(SuppressionPattern, MatchesTheWholeText) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("abc", "abc"));
  EXPECT_FALSE(matches("abc", "abcd"));
  EXPECT_FALSE(matches("abc", "ab"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("a*c", "ac"));
  EXPECT_TRUE(matches("a*c", "abcbc"));
  EXPECT_FALSE(matches("a*c", "abcb"));
  EXPECT_TRUE(matches("*b*", "abc"));
  EXPECT_TRUE(matches("a**", "a"));
  EXPECT_TRUE(matches("*ab*ab", "ababab"));
  EXPECT_FALSE(matches("*ab*ab*ab", "abab"));
}

DescribedFinding finding_of(const RuleInfo& rule) {
  Frame frame;
  frame.function = "void pool::(anonymous namespace)::refill<int>(int*)";
  frame.file = "/home/me/project/pool/refill.cpp";
  frame.module = "/home/me/project/build/libpool.so";
  DescribedFinding finding;
  finding.rule = &rule;
  finding.sentence = "3 allocations are left.";
  finding.places.push_back(
      {.role = "made", .function = "aclrtMalloc", .frames = {frame}, .script = {}});
  return finding;
}

bool is_suppressed(const std::string& line, const DescribedFinding& finding) {
  Suppressions suppressions;
  EXPECT_EQ(suppressions.parse(line, "file", kRules), "");
  return suppressions.reason_for(finding) != nullptr;
}

TEST(Suppressions, ComparesFramesFilesFunctionsAndTheSentence) {
  const DescribedFinding leak = finding_of(kLeak);
  for (const char* pattern :
       {"*", "pool::refill<int>", "*refill*", "refill.cpp", "pool/refill.cpp", "pool/*",
        "/home/me/*", "libpool.so", "aclrtMalloc", "aclrt*", "3 allocations are left.",
        "* are left.", "void pool::(anonymous namespace)::refill<int>(int*)"}) {
    EXPECT_TRUE(is_suppressed(std::string("leak ") + pattern + " # reason", leak)) << pattern;
  }
  for (const char* pattern :
       {"refill", "fill.cpp", "pool", "allocations", "aclrtMall", "project"}) {
    EXPECT_FALSE(is_suppressed(std::string("leak ") + pattern + " # reason", leak)) << pattern;
  }
  EXPECT_FALSE(is_suppressed("stream-race * # reason", leak)) << "another rule";
}

TEST(Suppressions, KeepsTheReason) {
  Suppressions suppressions;
  EXPECT_EQ(
      suppressions.parse("# all of these are old\n"
                         "\n"
                         "  leak\t pool/*  #  the pool lives as long as the process # really\r\n"
                         "stream-race * #x",
                         "known.txt", kRules),
      "");
  const std::string* reason = suppressions.reason_for(finding_of(kLeak));
  ASSERT_NE(reason, nullptr);
  EXPECT_EQ(*reason, "the pool lives as long as the process # really");
}

TEST(Suppressions, RefusesLinesByFileAndNumber) {
  const struct {
    const char* text;
    const char* complaint;
  } rows[] = {
      {"leak *", "known.txt:1: no reason"},
      {"leak * #", "known.txt:1: no reason"},
      {"leak * #  \t", "known.txt:1: no reason"},
      {"\nleak # why", "known.txt:2: no pattern"},
      {"leak", "known.txt:1: no pattern"},
      {"leek * # why", "known.txt:1: \"leek\" is no"},
      {"leak * # why\n\n* * # why", "known.txt:3: \"*\" is no"},
  };
  for (const auto& row : rows) {
    Suppressions suppressions;
    EXPECT_EQ(suppressions.parse(row.text, "known.txt", kRules).find(row.complaint), 0u)
        << row.text << ": " << suppressions.parse(row.text, "known.txt", kRules);
  }
}

TEST(Suppressions, RefusesAFileThatCannotBeRead) {
  Suppressions suppressions;
  EXPECT_NE(suppressions.load("/nonexistent/known.txt", kRules).find("/nonexistent/known.txt"),
            std::string::npos);
  EXPECT_NE(suppressions.load(::testing::TempDir(), kRules), "") << "a folder";
}

}  // namespace
}  // namespace ferry::layers::check
