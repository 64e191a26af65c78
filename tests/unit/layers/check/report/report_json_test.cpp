// SPDX-License-Identifier: Apache-2.0
// The JSON report, and how its file is replaced.
#include "layers/check/report/report_json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ferry::layers::check {
namespace {

using Json = nlohmann::json;

constexpr RuleInfo kRace{.name = "stream-race",
                         .severity = Severity::kError,
                         .is_muted_by_default = false,
                         .summary = "",
                         .advice = ""};

DescribedFinding race() {
  Frame frame;
  frame.function = "send(int)";
  frame.file = "/src/a.cpp";
  frame.line = 12;
  frame.module = "/opt/program";
  frame.offset = 0x1234;
  frame.is_inlined = true;
  Frame script;
  script.function = "step";
  script.file = "/src/train.py";
  script.line = 1;
  DescribedFinding finding;
  finding.rule = &kRace;
  finding.sentence = "Two copies write the same bytes.";
  finding.advice = "Order them.";
  finding.code = 107003;
  finding.count = 5;
  finding.places.push_back({.role = "the copy was queued",
                            .function = "aclrtMemcpyAsync",
                            .frames = {frame, Frame()},
                            .script = {script}});
  return finding;
}

TEST(ReportJson, HoldsAllThatIsKnown) {
  DescribedFinding hidden = race();
  hidden.is_suppressed = true;
  hidden.reason = "known since 2024";
  const std::vector<DescribedFinding> findings{race(), hidden};
  const std::vector<RuleTally> tallies{
      {.rule = &kRace, .findings = 5, .places = 1, .suppressed = 2}};
  const Json report = Json::parse(report_json({.schedule = "shuffle:7",
                                               .folder = "/src",
                                               .is_complete = true,
                                               .findings = findings,
                                               .tallies = tallies}));
  EXPECT_EQ(report["schema"], kReportSchema);
  EXPECT_EQ(report["schedule"], "shuffle:7");
  EXPECT_EQ(report["complete"], true);
  EXPECT_EQ(report["process"], getpid());
  EXPECT_NE(report["command"][0].get<std::string>().find("ferry_unit"), std::string::npos);
  ASSERT_EQ(report["findings"].size(), 2u);
  const Json& finding = report["findings"][0];
  EXPECT_EQ(finding["rule"], "stream-race");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["sentence"], "Two copies write the same bytes.");
  EXPECT_EQ(finding["advice"], "Order them.");
  EXPECT_EQ(finding["code"], 107003);
  EXPECT_EQ(finding["count"], 5);
  EXPECT_EQ(finding["suppressed"], false);
  const Json& place = finding["places"][0];
  EXPECT_EQ(place["role"], "the copy was queued");
  EXPECT_EQ(place["function"], "aclrtMemcpyAsync");
  EXPECT_EQ(place["script"][0],
            (Json{{"function", "step"}, {"file", "/src/train.py"}, {"line", 1}}));
  EXPECT_EQ(place["frames"][0], (Json{{"function", "send(int)"},
                                      {"file", "/src/a.cpp"},
                                      {"line", 12},
                                      {"module", "/opt/program"},
                                      {"offset", "0x1234"},
                                      {"inlined", true}}));
  EXPECT_TRUE(place["frames"][1]["file"].is_null());
  EXPECT_EQ(report["findings"][1]["suppressed"], true);
  EXPECT_EQ(report["findings"][1]["reason"], "known since 2024");
  EXPECT_EQ(report["annotations"],
            (Json::array({{{"path", "train.py"},
                           {"line", 1},
                           {"level", "error"},
                           {"message", "stream-race: Two copies write the same bytes."}}})));
  EXPECT_EQ(
      report["summary"],
      (Json{{"calls", 0},
            {"streams", 0},
            {"errors", 5},
            {"notes", 0},
            {"suppressed", 2},
            {"rules",
             {{"stream-race",
               {{"severity", "error"}, {"findings", 5}, {"places", 1}, {"suppressed", 2}}}}}}));
}

TEST(ReportJson, SurvivesBytesThatAreNoText) {
  DescribedFinding finding = race();
  finding.sentence = "\xff\xfe";
  const std::vector<DescribedFinding> findings{finding};
  EXPECT_TRUE(Json::accept(report_json({.findings = findings, .tallies = {}})));
}

TEST(ReplaceFile, LeavesNothingElseBehind) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("replace_file_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "report.json";
  EXPECT_TRUE(replace_file(path, "a longer first text"));
  EXPECT_TRUE(replace_file(path, "second"));
  std::ifstream file(path);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(file)), {}), "second");
  EXPECT_FALSE(replace_file(folder / "absent" / "report.json", "x"));
  EXPECT_FALSE(replace_file(folder, "x"));
  const std::filesystem::directory_iterator all(folder);
  EXPECT_EQ(std::distance(begin(all), end(all)), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ferry::layers::check
