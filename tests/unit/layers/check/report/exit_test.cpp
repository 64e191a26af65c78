// SPDX-License-Identifier: Apache-2.0
// The exit of a process that has findings.
#include "layers/check/report/exit.h"

#include "layers/check/report/report.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kRace{.name = "stream-race"};
constexpr RuleInfo kLeak{.name = "leak", .severity = Severity::kNote};
constexpr const RuleInfo* kRules[] = {&kRace, &kLeak};

void find(const RuleInfo& rule) {
  Finding finding;
  finding.rule = &rule;
  finding.sentence = "found";
  report(finding);
}

void switch_on(void (*finish)()) {
  if (open_reports({.schedule = "lazy"}, kRules) != nullptr) _exit(99);
  at_end(finish);
}

TEST(ExitDeathTest, HasACodeOfItsOwnWhenAnErrorWasFound) {
  EXPECT_EXIT(
      {
        switch_on([] {});
        find(kRace);
        std::exit(0);
      },
      ::testing::ExitedWithCode(86), "checked .*: 1 error, no notes");
}

TEST(ExitDeathTest, CountsWhatIsFoundAtTheEnd) {
  EXPECT_EXIT(
      {
        switch_on([] { find(kRace); });
        std::exit(0);
      },
      ::testing::ExitedWithCode(86), "checked .*: 1 error, no notes");
}

TEST(ExitDeathTest, KeepsTheCodeOfAProgramThatFailed) {
  EXPECT_EXIT(
      {
        switch_on([] {});
        find(kRace);
        std::exit(7);
      },
      ::testing::ExitedWithCode(7), "checked .*: 1 error, no notes");
}

TEST(ExitDeathTest, LeavesNotesAlone) {
  EXPECT_EXIT(
      {
        switch_on([] {});
        find(kLeak);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "checked .*: no errors, 1 note");
}

TEST(ExitDeathTest, EndsWithALineWhenNothingWasFound) {
  EXPECT_EXIT(
      {
        switch_on([] {});
        std::exit(0);
      },
      ::testing::ExitedWithCode(0),
      "^ferry: checked no calls on no streams: no errors, no notes\n$");
}

TEST(ExitDeathTest, RunsTheHandlersThatWereThereBefore) {
  EXPECT_EXIT(
      {
        std::atexit([] { std::fputs("an earlier handler\n", stderr); });
        switch_on([] {});
        std::atexit([] { std::fputs("a later handler\n", stderr); });
        find(kRace);
        std::exit(0);
      },
      ::testing::ExitedWithCode(86), "a later handler\n(.*\n)*.*checked(.*\n)*an earlier handler");
}

TEST(ExitDeathTest, LeavesForkedChildrenAlone) {
  EXPECT_EXIT(
      {
        switch_on([] { std::fputs("finish\n", stderr); });
        find(kRace);
        const pid_t child = fork();
        if (child == 0) {
          std::freopen("/dev/null", "w", stderr);
          std::exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::fprintf(stderr, "the child left with %d\n", WEXITSTATUS(status));
        std::exit(0);
      },
      ::testing::ExitedWithCode(86), "the child left with 0\n(.*\n)*finish");
}

}  // namespace
}  // namespace ferry::layers::check
