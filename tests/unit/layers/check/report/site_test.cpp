// SPDX-License-Identifier: Apache-2.0
// Sites: equal stacks share a number, different ones do not, and their number is limited.
#include "layers/check/report/site.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

// The linker marks the bounds of the section with these functions.
extern const char kCallersBegin[] __asm__("__start_site_callers");
extern const char kCallersEnd[] __asm__("__stop_site_callers");

namespace ferry::layers::check {
namespace {

constexpr size_t kMostFrames = 40;
constexpr SiteId kMostSites = 100'000;

[[gnu::noinline, gnu::section("site_callers")]] SiteId capture_here(const char* function) {
  const SiteId site = capture_site(function);
  asm volatile("");  // prevents a tail call: the test looks for this frame
  return site;
}

[[gnu::noinline]] SiteId capture_below(int depth) {
  const SiteId site = depth == 0 ? capture_here("deep") : capture_below(depth - 1);
  asm volatile("");
  return site;
}

size_t two_lines(char* text, size_t size) {
  const char* lines = "train.py:12 step\ntrain.py:40 main";
  return static_cast<size_t>(snprintf(text, size, "%s", lines));
}

size_t endless(char* text, size_t size) {
  std::memset(text, 'x', size);
  return SIZE_MAX;
}

TEST(Site, NumberZeroIsNoPlace) {
  EXPECT_TRUE(site_of(kNoSite).frames.empty());
  EXPECT_STREQ(site_of(kNoSite).function, "");
}

TEST(Site, StartsWithTheCaller) {
  const Site& site = site_of(capture_here("aclrtMemcpy"));
  EXPECT_STREQ(site.function, "aclrtMemcpy");
  ASSERT_GE(site.frames.size(), 2u);
  EXPECT_GT(site.frames[0], reinterpret_cast<uintptr_t>(kCallersBegin));
  EXPECT_LT(site.frames[0], reinterpret_cast<uintptr_t>(kCallersEnd));
}

TEST(Site, RecordedWorkAlsoHasThePlaceOfItsLaunch) {
  const SiteId recorded = capture_here("aclrtMemcpyAsync");
  const SiteId launched = capture_here("aclmdlRIExecuteAsync");
  const SiteId both = site_in_run(recorded, launched);
  EXPECT_EQ(site_in_run(recorded, launched), both);
  EXPECT_EQ(site_of(both).launched, launched);
  EXPECT_EQ(site_of(both).frames, site_of(recorded).frames);
  EXPECT_STREQ(site_of(both).function, "aclrtMemcpyAsync");
  EXPECT_EQ(site_of(recorded).launched, kNoSite);
  EXPECT_EQ(site_in_run(recorded, kNoSite), recorded);
  EXPECT_EQ(site_in_run(kNoSite, launched), kNoSite);
}

TEST(Site, EqualStacksShareANumber) {
  std::set<SiteId> ids;
  for (int i = 0; i < 10; ++i) {
    ids.insert(capture_here("aclrtMemcpy"));
  }
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(intern_site(site_of(*ids.begin())), *ids.begin());
}

TEST(Site, AnotherStackFunctionOrScriptIsAnotherPlace) {
  const SiteId here = capture_here("aclrtMemcpy");
  const SiteId there = capture_here("aclrtMemcpy");
  EXPECT_NE(here, there);
  Site other = site_of(here);
  other.function = "aclrtMemset";
  EXPECT_NE(intern_site(other), here);
  other = site_of(here);
  other.script = "a.py:1";
  EXPECT_NE(intern_site(other), here);
  other = site_of(here);
  other.frames.pop_back();
  EXPECT_NE(intern_site(other), here);
}

TEST(Site, KeepsTheInnermostFramesOfADeepStack) {
  const Site& site = site_of(capture_below(100));
  EXPECT_EQ(site.frames.size(), kMostFrames);
  EXPECT_LT(site.frames[0], reinterpret_cast<uintptr_t>(kCallersEnd));
}

TEST(Site, HasTheStackOfTheScript) {
  set_script_stack(two_lines);
  const SiteId with_script = capture_here("aclrtMemcpy");
  set_script_stack(endless);
  const SiteId with_endless = capture_here("aclrtMemcpy");
  set_script_stack(nullptr);
  EXPECT_EQ(site_of(with_script).script, "train.py:12 step\ntrain.py:40 main");
  EXPECT_EQ(site_of(with_endless).script, std::string(4096, 'x'));
  EXPECT_EQ(site_of(capture_here("aclrtMemcpy")).script, "");
}

TEST(Site, ThreadsAgreeOnNumbers) {
  constexpr size_t kThreads = 4;
  constexpr uintptr_t kPlaces = 500;
  std::vector<std::vector<SiteId>> ids(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : ids) {
    threads.emplace_back([&mine] {
      for (uintptr_t place = 1; place <= kPlaces; ++place) {
        mine.push_back(intern_site({.function = "threads", .frames = {place}, .script = ""}));
        EXPECT_EQ(site_of(mine.back()).frames[0], place);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& mine : ids) {
    EXPECT_EQ(mine, ids[0]);
  }
}

// Fills the table, so it runs in a child process.
int fill_and_compare() {
  const SiteId before = intern_site({.function = "early", .frames = {1}, .script = ""});
  for (uintptr_t place = 0; place < kMostSites; ++place) {
    intern_site({.function = "many", .frames = {place}, .script = ""});
  }
  const SiteId first = intern_site({.function = "late", .frames = {1}, .script = ""});
  const SiteId second = intern_site({.function = "late", .frames = {2}, .script = ""});
  const bool still_finds =
      intern_site({.function = "early", .frames = {1}, .script = ""}) == before;
  const bool says_so = site_of(first).script.find("100000") != std::string::npos;
  return first == second && first != before && still_finds && says_so ? 0 : 1;
}

TEST(SiteDeathTest, HasAnEnd) {
  EXPECT_EXIT(_exit(fill_and_compare()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ferry::layers::check
