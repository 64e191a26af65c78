// SPDX-License-Identifier: Apache-2.0
// The random programs find planted defects, and shrink each to a small test that shows it.
#include "isolated.h"
#include "shrinker.h"
#include "writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace stress {
namespace {

constexpr uint64_t kFirstSeed = 1;
constexpr uint64_t kLastSeed = 1000;
constexpr int kTries = 3;

class PlantedDefect : public ::testing::Test {
 protected:
  void TearDown() override { unsetenv("PLANTED_DEFECT"); }

  // Finds the defect, and shrinks the program that shows it.
  void find(const char* defect, Arguments arguments) {
    setenv("PLANTED_DEFECT", defect, 1);
    uint64_t seed = kFirstSeed;
    // On a busy machine queued work may run before the call that should have waited for it.
    bool is_found = false;
    for (; seed < kLastSeed && !is_found; ++seed) {
      seed = run_seeds(seed, kLastSeed, arguments, [](uint64_t) {});
      program_ = generate(seed, arguments);
      is_found = seed < kLastSeed && run_isolated(program_, *predict(program_)).has_value();
    }
    ASSERT_TRUE(is_found) << "no program found it";
    program_ = shrink(program_, arguments, kTries);
    predictions_ = *predict(program_);
    RecordProperty("operations", static_cast<int>(program_.size()));
  }

  size_t calls(Call call) const {
    return static_cast<size_t>(std::count_if(program_.begin(), program_.end(),
                                             [&](const Operation& op) { return op.call == call; }));
  }

  // Writes the program as a test, and builds it with the defects and the library.
  void build(const std::string& name) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ferry_" + name + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string source = (folder / "reproducer_test.cpp").string();
    reproducer_ = (folder / "reproducer_test").string();
    std::ofstream(source) << write_test(program_, predictions_, "// Planted: " + name + "\n");
    const std::string command =
        std::string(FERRY_COMPILE) + " " + source + " " + FERRY_LINK + " -o " + reproducer_;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  int run_reproducer() const {
    return std::system((reproducer_ + " --gtest_brief=1 > " + reproducer_ + ".log 2>&1").c_str());
  }

  // The test fails with the defect, and passes without it.
  void expect_that_the_reproducer_shows(const std::string& defect) {
    build(defect);
    ASSERT_FALSE(HasFatalFailure());
    bool is_shown = false;
    for (int i = 0; i < kTries && !is_shown; ++i)
      is_shown = run_reproducer() != 0;
    EXPECT_TRUE(is_shown);
    unsetenv("PLANTED_DEFECT");
    EXPECT_EQ(run_reproducer(), 0);
    if (!HasFailure()) {
      std::filesystem::remove_all(std::filesystem::path(reproducer_).parent_path());
    }
  }

  Program program_;
  std::vector<Prediction> predictions_;
  std::string reproducer_;
};

TEST_F(PlantedDefect, AWrongByteInABatchIsFoundAndShrunk) {
  ASSERT_NO_FATAL_FAILURE(find("wrong-byte", Arguments::kAlsoInvalid));
  EXPECT_LE(program_.size(), 7U);
  EXPECT_EQ(calls(Call::kMemcpyBatchAsync), 1U);
  EXPECT_EQ(calls(Call::kCompare), 1U);
  expect_that_the_reproducer_shows("wrong-byte");
}

TEST_F(PlantedDefect, AWrongCodeIsFoundAndShrunk) {
  ASSERT_NO_FATAL_FAILURE(find("wrong-code", Arguments::kAlsoInvalid));
  EXPECT_LE(program_.size(), 4U);
  EXPECT_EQ(calls(Call::kMemsetAsync), 1U);
  expect_that_the_reproducer_shows("wrong-code");
}

TEST_F(PlantedDefect, AnEventWaitThatDoesNotWaitIsFoundAndShrunk) {
  ASSERT_NO_FATAL_FAILURE(find("no-wait", Arguments::kValid));
  // Usually it has 11 operations, of more than 100. The defect is one of timing: on a busy machine
  // a candidate may not show it, and the shrinker keeps what it could have removed.
  EXPECT_LE(program_.size(), 30U);
  EXPECT_GE(calls(Call::kRecordEvent), 1U);
  EXPECT_GE(calls(Call::kStreamWaitEvent), 1U);
  expect_that_the_reproducer_shows("no-wait");
}

TEST_F(PlantedDefect, AContextThatDoesNotStopIsFoundAndShrunk) {
  ASSERT_NO_FATAL_FAILURE(find("no-stop", Arguments::kAlsoInvalid));
  EXPECT_LE(program_.size(), 10U);
  EXPECT_EQ(calls(Call::kSetStreamFailureMode), 1U);
  expect_that_the_reproducer_shows("no-stop");
}

TEST_F(PlantedDefect, WithoutOneProgramsDoWhatTheModelPredicts) {
  EXPECT_EQ(run_seeds(kFirstSeed, kFirstSeed + 20, Arguments::kAlsoInvalid, [](uint64_t) {}),
            kFirstSeed + 20);
}

}  // namespace
}  // namespace stress
