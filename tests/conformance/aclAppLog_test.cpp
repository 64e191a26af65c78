// SPDX-License-Identifier: Apache-2.0
// aclAppLog: the program's lines in the library's log, which FERRY_LOG turns on.
#include "support/at_once.h"
#include "support/captured_process.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace conformance::aclAppLog_test {
namespace {

// A log file for the child of this process. Removed at the end.
class LogFile {
 public:
  LogFile() : path_(::testing::TempDir() + "ferry_log_" + std::to_string(getpid())) {
    std::remove(path_.c_str());
  }
  ~LogFile() { std::remove(path_.c_str()); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  std::string variable(const char* level) const {
    return std::string("FERRY_LOG=") + level + ":" + path_;
  }

  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      lines.push_back(line);
    return lines;
  }

 private:
  std::string path_;
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

size_t lines_with(const std::vector<std::string>& lines, const char* part) {
  return static_cast<size_t>(std::count_if(
      lines.begin(), lines.end(), [part](const auto& line) { return contains(line, part); }));
}

void log_one_line_a_level() {
  aclAppLog(ACL_DEBUG, "load", "blocks.cpp", 41, "a line of level %s", "debug");
  aclAppLog(ACL_INFO, "load", "blocks.cpp", 42, "a line of level %s", "info");
  aclAppLog(ACL_WARNING, "load", "blocks.cpp", 43, "a line of level %s", "warning");
  aclAppLog(ACL_ERROR, "load", "blocks.cpp", 44, "a line of level %s", "error");
}

// Runs the test's child with this log level, and expects the lines from `first` on.
void expect_lines_from(const char* level, size_t first) {
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable(level)}).status, 0);
  const std::vector<std::string> lines = file.lines();
  const char* texts[] = {"a line of level debug", "a line of level info", "a line of level warning",
                         "a line of level error"};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(lines_with(lines, texts[i]), i < first ? 0u : 1u) << texts[i] << " at " << level;
}

TEST(AclAppLog, WritesTheLinesOfTheLevelAndAbove) {
  if (is_child()) return log_one_line_a_level();
  expect_lines_from("debug", 0);
  expect_lines_from("info", 1);
  expect_lines_from("warn", 2);
  expect_lines_from("error", 3);
}

TEST(AclAppLog, WritesPlaceAndTextInOneLine) {
  if (is_child()) {
    aclAppLog(ACL_ERROR, "load_blocks", "blocks.cpp", 4711, "%d blocks of %s", 12, "layer 3");
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines_with(lines, "12 blocks of layer 3"), 1u);
  const std::string line = *std::find_if(
      lines.begin(), lines.end(), [](const auto& one) { return contains(one, "12 blocks"); });
  EXPECT_TRUE(contains(line, "load_blocks")) << line;
  EXPECT_TRUE(contains(line, "blocks.cpp")) << line;
  EXPECT_TRUE(contains(line, "4711")) << line;
  EXPECT_TRUE(contains(line, "error")) << line;
}

TEST(AclAppLog, WritesATextWithLineBreaksInOneLine) {
  if (is_child()) {
    aclAppLog(ACL_ERROR, "load", "blocks.cpp", 1, "first%ssecond", "\n");
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines_with(lines, "first"), 1u);
  // The checker makes calls of its own, which are logged too.
  if (!is_checked()) {
    EXPECT_EQ(lines.size(), 1u);
  }
  const auto line = std::find_if(lines.begin(), lines.end(),
                                 [](const auto& one) { return contains(one, "first"); });
  EXPECT_TRUE(contains(*line, "second")) << *line;
}

TEST(AclAppLog, FillsInThePlaceThroughTheMacro) {
  if (is_child()) {
    ACL_APP_LOG(ACL_WARNING, "through the macro, %d", 5);
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  const std::vector<std::string> lines = file.lines();
  ASSERT_EQ(lines_with(lines, "through the macro, 5"), 1u);
  EXPECT_EQ(lines_with(lines, "aclAppLog_test.cpp"), 1u);
}

TEST(AclAppLog, GoesToStandardErrorWithoutAFile) {
  if (is_child()) return log_one_line_a_level();
  const EndedProcess ended = run_this_test_apart({"FERRY_LOG=info"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(contains(ended.standard_error, "a line of level info"));
  EXPECT_FALSE(contains(ended.standard_error, "a line of level debug"));
}

TEST(AclAppLog, IsSilentUnlessSwitchedOn) {
  if (is_child()) return log_one_line_a_level();
  // A name without a value unsets the variable.
  const EndedProcess ended = run_this_test_apart({"FERRY_LOG"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.standard_error, "");
}

TEST(AclAppLog, IgnoresATextThatIsNull) {
  if (is_child()) {
    const char* nothing = nullptr;
    aclAppLog(ACL_ERROR, "load", "blocks.cpp", 1, nothing, 0);
    aclAppLog(ACL_ERROR, "load", "blocks.cpp", 2, "after the text that is NULL");
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  EXPECT_EQ(lines_with(file.lines(), "blocks.cpp"), 1u);
}

TEST(AclAppLog, WritesAQuestionMarkForAPlaceThatIsNull) {
  if (is_child()) {
    aclAppLog(ACL_ERROR, nullptr, nullptr, 7, "from nowhere");
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  EXPECT_EQ(lines_with(file.lines(), "?:7 ?: from nowhere"), 1u);
}

TEST(AclAppLog, TakesLongTexts) {
  if (is_child()) {
    const std::string text(100000, 'x');
    aclAppLog(ACL_ERROR, "load", "blocks.cpp", 1, "long %s", text.c_str());
    aclAppLog(ACL_ERROR, "load", "blocks.cpp", 2, "after the long text");
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  const std::vector<std::string> lines = file.lines();
  EXPECT_EQ(lines_with(lines, "long xxxxxxxxxx"), 1u);
  EXPECT_EQ(lines_with(lines, "after the long text"), 1u);
}

TEST(AclAppLog, KeepsTheLinesOfManyThreadsWhole) {
  if (is_child()) {
    at_once(4, [&](size_t i) {
      for (int round = 0; round < 200; ++round)
        aclAppLog(ACL_INFO, "load", "blocks.cpp", 1, "<thread %zu round %d>", i, round);
    });
    return;
  }
  const LogFile file;
  EXPECT_EQ(run_this_test_apart({file.variable("info")}).status, 0);
  const std::vector<std::string> lines = file.lines();
  for (int i = 0; i < 4; ++i) {
    for (int round = 0; round < 200; ++round) {
      std::ostringstream text;
      text << "<thread " << i << " round " << round << ">";
      ASSERT_EQ(lines_with(lines, text.str().c_str()), 1u) << text.str();
    }
  }
  EXPECT_EQ(lines_with(lines, "blocks.cpp"), 800u);
}

TEST(AclAppLog, LeavesErrorsAlone) {
  clear_errors();
  log_one_line_a_level();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(recent_text(), "");
}

}  // namespace
}  // namespace conformance::aclAppLog_test
