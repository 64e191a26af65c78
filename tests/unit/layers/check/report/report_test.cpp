// SPDX-License-Identifier: Apache-2.0
// Which findings are reported and counted: wanted rules, once per place, suppressions, limits.
#include "layers/check/report/report.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kRace{.name = "stream-race",
                         .severity = Severity::kError,
                         .is_muted_by_default = false,
                         .summary = "summary",
                         .advice = "the rule's advice"};
constexpr RuleInfo kLeak{.name = "leak",
                         .severity = Severity::kNote,
                         .is_muted_by_default = false,
                         .summary = "summary",
                         .advice = ""};
constexpr RuleInfo kUnaligned{.name = "unaligned",
                              .severity = Severity::kNote,
                              .is_muted_by_default = true,
                              .summary = "summary",
                              .advice = ""};
constexpr const RuleInfo* kRules[] = {&kRace, &kLeak, &kUnaligned};

// A place whose stack ends at this address.
Place place(uintptr_t address) {
  Site site;
  site.function = "aclrtMemcpyAsync";
  site.frames = {address};
  return {.role = "queued", .site = intern_site(site)};
}

Finding race(uintptr_t first, uintptr_t second) {
  return {.rule = &kRace,
          .sentence = "a sentence",
          .places = {place(first), place(second)},
          .advice = {},
          .code = 0};
}

size_t times(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// What report() prints for the findings.
std::string told(const std::vector<Finding>& findings) {
  ::testing::internal::CaptureStderr();
  for (const Finding& finding : findings)
    report(finding);
  await_told();
  return ::testing::internal::GetCapturedStderr();
}

std::string closed() {
  ::testing::internal::CaptureStderr();
  close_reports();
  return ::testing::internal::GetCapturedStderr();
}

RuleCount count_of(const RuleInfo& rule) {
  for (const RuleCount& count : rule_counts()) {
    if (count.rule == &rule) return count;
  }
  return {};
}

class Report : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("GITHUB_ACTIONS");
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ("ferry_report_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  nlohmann::json read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return nlohmann::json::parse(std::string((std::istreambuf_iterator<char>(file)), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(Report, ReadsTheStackOfAScript) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  Site site;
  site.script = "Loader.step  /src/a  b:c.py:12\nno place\nodd  /src/a.py:1x\n";
  Finding finding = race(1, 2);
  finding.places[0].site = intern_site(site);
  static_cast<void>(told({finding, finding}));
  const auto report = nlohmann::json::parse(current_report());
  EXPECT_EQ(report["findings"][0]["count"], 2);
  const nlohmann::json& script = report["findings"][0]["places"][0]["script"];
  ASSERT_EQ(script.size(), 3u);
  EXPECT_EQ(
      script[0],
      nlohmann::json({{"function", "Loader.step"}, {"file", "/src/a  b:c.py"}, {"line", 12}}));
  EXPECT_EQ(script[1], nlohmann::json({{"function", "no place"}, {"file", {}}, {"line", {}}}));
  EXPECT_EQ(script[2]["function"], "odd  /src/a.py:1x");
  EXPECT_EQ(script[2]["line"], nullptr);
  EXPECT_EQ(report["annotations"][0]["path"], "/src/a  b:c.py");
  EXPECT_EQ(report["annotations"][0]["line"], 12);
}

TEST_F(Report, TellsEachPlaceOnceAndCountsAll) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  const std::string text = told({race(1, 2), race(1, 2), race(1, 3), race(2, 1), race(1, 2)});
  EXPECT_EQ(times(text, "ferry: error: stream-race\n"), 3u) << text;
  EXPECT_NE(text.find("the rule's advice"), std::string::npos);
  EXPECT_EQ(error_count(), 5u);
  EXPECT_EQ(count_of(kRace).findings, 5u);
  EXPECT_EQ(count_of(kRace).places, 3u);
  EXPECT_EQ(count_of(kLeak).findings, 0u);
}

TEST_F(Report, PrefersTheAdviceOfTheFinding) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  Finding finding = race(1, 2);
  finding.advice = "do it like this";
  const std::string text = told({finding});
  EXPECT_NE(text.find("do it like this"), std::string::npos);
  EXPECT_EQ(text.find("the rule's advice"), std::string::npos);
}

TEST_F(Report, DoesNotCountNotesAsErrors) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  Finding leak = race(1, 2);
  leak.rule = &kLeak;
  EXPECT_EQ(times(told({leak}), "ferry: note: leak\n"), 1u);
  EXPECT_EQ(error_count(), 0u);
  EXPECT_EQ(count_of(kLeak).findings, 1u);
}

TEST_F(Report, KnowsWhichRulesAreWanted) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  EXPECT_TRUE(is_wanted(kRace));
  EXPECT_TRUE(is_wanted(kLeak));
  EXPECT_FALSE(is_wanted(kUnaligned));
  ASSERT_EQ(open_reports({.rules = {"unaligned", "leak"}, .muted = {"leak"}}, kRules), nullptr);
  EXPECT_FALSE(is_wanted(kRace));
  EXPECT_FALSE(is_wanted(kLeak));
  EXPECT_TRUE(is_wanted(kUnaligned));
  EXPECT_EQ(told({race(1, 2)}), "");
  EXPECT_EQ(error_count(), 0u);
}

TEST_F(Report, RefusesWhatItDoesNotKnow) {
  const Problem unknown = open_reports({.rules = {"leak", "stream-rice"}}, kRules);
  EXPECT_STREQ(unknown->text(),
               "FERRY_CHECK names \"stream-rice\", which is no rule; rules are stream-race leak "
               "unaligned");
  EXPECT_STREQ(unknown->argument(), "FERRY_CHECK");
  EXPECT_STREQ(unknown->value(), "stream-rice");
  EXPECT_STREQ(unknown->allowed(), "stream-race leak unaligned");
  EXPECT_STREQ(open_reports({.muted = {"x"}}, kRules)->argument(), "FERRY_MUTE");
  const std::string absent = folder_ / "absent";
  EXPECT_EQ(
      open_reports({.suppressions = absent}, kRules)->sentence(),
      "FERRY_SUPPRESSIONS: " + absent + ": the file cannot be read: No such file or directory");
  const std::string bad = write("bad", "leak *\n");
  EXPECT_NE(open_reports({.suppressions = bad}, kRules)->sentence().find(bad + ":1: no reason"),
            std::string::npos);
  for (const std::string& file : {(folder_ / "absent" / "report.json").string(), folder_.string(),
                                  std::string("/dev/null")}) {
    const Problem wrong = open_reports({.file = file}, kRules);
    EXPECT_EQ(wrong->sentence().find("FERRY_REPORT names " + file + ", "), 0u) << wrong->text();
    EXPECT_EQ(wrong->value(), file);
  }
}

TEST_F(Report, IsSilentAboutWhatIsSuppressed) {
  const std::string known = write("known", "stream-race  *two*  # old\n");
  ASSERT_EQ(open_reports({.file = folder_ / "report.json", .suppressions = known}, kRules),
            nullptr);
  Finding hidden = race(1, 2);
  hidden.sentence = "one and two";
  EXPECT_EQ(told({hidden, hidden}), "");
  EXPECT_EQ(error_count(), 0u);
  EXPECT_EQ(count_of(kRace).findings, 0u);
  EXPECT_EQ(times(told({race(3, 4)}), "error: "), 1u);
  EXPECT_NE(closed().find("1 error, no notes, 2 suppressed"), std::string::npos);
  const nlohmann::json report = read("report.json");
  EXPECT_EQ(report["findings"][0]["suppressed"], true);
  EXPECT_EQ(report["findings"][0]["reason"], "old");
  EXPECT_EQ(report["findings"][0]["count"], 2);
  EXPECT_EQ(report["findings"][1]["suppressed"], false);
}

TEST_F(Report, WritesTheFileAfterEachFindingAndAtTheEnd) {
  ASSERT_EQ(open_reports({.file = folder_ / "%p-%p.json", .schedule = "lazy"}, kRules), nullptr);
  const std::string name = std::to_string(getpid()) + "-" + std::to_string(getpid()) + ".json";
  told({race(1, 2)});
  EXPECT_EQ(read(name)["findings"].size(), 1u);
  EXPECT_EQ(read(name)["complete"], false);
  told({race(1, 2), race(1, 3)});
  EXPECT_EQ(read(name)["findings"].size(), 2u);
  const std::string summary = closed();
  EXPECT_NE(summary.find(": 3 errors, no notes\n"), std::string::npos) << summary;
  EXPECT_NE(summary.find(name), std::string::npos);
  EXPECT_EQ(read(name)["complete"], true);
  EXPECT_EQ(read(name)["schedule"], "lazy");
  EXPECT_EQ(read(name)["findings"][0]["count"], 2);
  EXPECT_EQ(closed(), "") << "the summary is printed once";
  EXPECT_EQ(told({race(8, 9)}), "") << "nothing is printed after the summary";
}

TEST_F(Report, WritesTheFileWhenNothingWasFound) {
  extent.calls = 1204;
  extent.streams = 3;
  ASSERT_EQ(open_reports({.file = folder_ / "report.json"}, kRules), nullptr);
  EXPECT_EQ(read("report.json")["complete"], false) << "the process may end without a summary";
  EXPECT_EQ(closed(), "ferry: checked 1,204 calls on 3 streams: no errors, no notes\n");
  EXPECT_EQ(read("report.json")["complete"], true);
  EXPECT_TRUE(read("report.json")["findings"].empty());
  EXPECT_EQ(read("report.json")["summary"]["calls"], 1204);
  EXPECT_EQ(read("report.json")["summary"]["streams"], 3);
  extent.calls = 0;
  extent.streams = 0;
}

TEST_F(Report, OfAProgramWithoutCallsLeavesTheFileOfAnotherProcess) {
  const std::string file = folder_ / "report.json";
  report_silence({.file = file, .schedule = "lazy"}, false);
  EXPECT_EQ(read("report.json")["complete"], true);
  EXPECT_EQ(read("report.json")["summary"]["calls"], 0);
  write("report.json", "{\"of\": \"a child\"}");
  report_silence({.file = file, .schedule = "lazy"}, true);
  EXPECT_EQ(read("report.json")["of"], "a child");
  write("report.json", "");  // as ferry run leaves it
  report_silence({.file = file, .schedule = "lazy"}, false);
  EXPECT_EQ(read("report.json")["complete"], true);
}

TEST_F(Report, KeepsTheFileWhereItWasOpened) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  ASSERT_EQ(open_reports({.file = "report.json"}, kRules), nullptr);
  std::filesystem::current_path(before);
  closed();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "report.json"));
}

TEST_F(Report, StopsTellingAfterManyPlacesAndGoesOnCounting) {
  ASSERT_EQ(open_reports({.file = folder_ / "report.json"}, kRules), nullptr);
  std::vector<Finding> findings;
  for (uintptr_t i = 0; i < 500; ++i)
    findings.push_back(race(1000 + i, 1));
  const std::string text = told(findings);
  EXPECT_EQ(times(text, "ferry: error: "), 200u);
  EXPECT_EQ(times(text, "counted only"), 1u);
  EXPECT_EQ(error_count(), 500u);
  EXPECT_EQ(count_of(kRace).places, 200u);
  Finding leak = race(1, 2);
  leak.rule = &kLeak;
  EXPECT_EQ(times(told({leak}), "ferry: note: "), 1u) << "another rule has its own limit";
  EXPECT_NE(closed().find("500 times at more than 200 places"), std::string::npos);
  EXPECT_EQ(read("report.json")["findings"].size(), 201u);
  EXPECT_EQ(read("report.json")["summary"]["errors"], 500);
}

TEST_F(Report, TakesFindingsFromManyThreads) {
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  ::testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (uintptr_t n = 0; n < 400; ++n)
        report(race(n % 8, 77));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  await_told();
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(times(text, "ferry: error: "), 8u);
  EXPECT_EQ(error_count(), 1600u);
}

TEST_F(Report, AnnotatesTheProgramWhereItRunsOnGitHub) {
  setenv("GITHUB_ACTIONS", "true", 1);
  ASSERT_EQ(open_reports({}, kRules), nullptr);
  Site site;
  site.script = "step  /src/loader.py:12\n";
  Finding finding = race(1, 2);
  finding.places[0].site = intern_site(site);
  static_cast<void>(told({finding}));
  EXPECT_EQ(times(closed(), "::error file=/src/loader.py,line=12,"), 1u);
}

TEST_F(Report, SaysThatItsFileCannotBeWritten) {
  const std::filesystem::path removed = folder_ / "removed";
  std::filesystem::create_directory(removed);
  ASSERT_EQ(open_reports({.file = removed / "report.json"}, kRules), nullptr);
  std::filesystem::remove_all(removed);
  static_cast<void>(told({race(1, 2)}));
  EXPECT_EQ(times(closed(), "report.json cannot be written: No such file or directory"), 1u);
}

TEST_F(Report, IsSilentInAForkedChild) {
  ASSERT_EQ(open_reports({.file = folder_ / "report.json"}, kRules), nullptr);
  ::testing::internal::CaptureStderr();
  const pid_t child = fork();
  if (child == 0) {
    report(race(1, 2));
    close_reports();
    _exit(error_count() == 0 && rule_counts().empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(read("report.json")["complete"], false);
  EXPECT_TRUE(read("report.json")["findings"].empty());
}

}  // namespace
}  // namespace ferry::layers::check
