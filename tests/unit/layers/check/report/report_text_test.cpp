// SPDX-License-Identifier: Apache-2.0
// The text of findings and of the summary.
#include "layers/check/report/report_text.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kRace{.name = "stream-race",
                         .severity = Severity::kError,
                         .is_muted_by_default = false,
                         .summary = "Two streams touch the same bytes.",
                         .advice = "Record an event and let the other stream wait for it."};
constexpr RuleInfo kLeak{.name = "leak",
                         .severity = Severity::kNote,
                         .is_muted_by_default = false,
                         .summary = "Something was left behind.",
                         .advice = "Free it."};

Frame frame(const char* function, const char* file, uint32_t line) {
  Frame frame;
  frame.function = function;
  frame.file = file;
  frame.line = line;
  frame.module = "/opt/program";
  frame.offset = 0x1234;
  return frame;
}

DescribedFinding race() {
  DescribedFinding finding;
  finding.rule = &kRace;
  finding.sentence = "Two copies write the same 64 bytes at 0x1000.";
  finding.advice = kRace.advice;
  finding.places.push_back(
      {.role = "the second copy was queued",
       .function = "aclrtMemcpyAsync",
       .frames = {frame("(anonymous namespace)::send(int)", "/src/a.cpp", 12),
                  frame("main", "/src/main.cpp", 40), frame("__libc_start_call_main", "", 0),
                  frame("_start", "", 0)},
       .script = {}});
  finding.places.push_back({.role = "the first copy was queued",
                            .function = "aclrtMemcpyAsync",
                            .frames = {frame("helper", "", 0)},
                            .script = {}});
  return finding;
}

TEST(ReportText, NamesRulePlacesAndAdvice) {
  EXPECT_EQ(finding_text(race(), "/src", {}),
            "ferry: error: stream-race\n"
            "ferry:   Two copies write the same 64 bytes at 0x1000.\n"
            "ferry:\n"
            "ferry:   the second copy was queued, in aclrtMemcpyAsync:\n"
            "ferry:     #0  send  a.cpp:12\n"
            "ferry:     #1  main  main.cpp:40\n"
            "ferry:\n"
            "ferry:   the first copy was queued, in aclrtMemcpyAsync:\n"
            "ferry:     #0  helper  (/opt/program+0x1234)\n"
            "ferry:\n"
            "ferry:   what to do: Record an event and let the other stream wait for it.\n"
            "ferry:   mute: FERRY_MUTE=stream-race, or a line in a suppressions file\n"
            "ferry:   more: ferry explain stream-race\n"
            "\n");
}

TEST(ReportText, TellsTheCodeOfACallThatFailed) {
  DescribedFinding finding = race();
  finding.code = 107003;
  EXPECT_NE(finding_text(finding, "", {}).find("returned 107003 (ferry explain 107003)"),
            std::string::npos);
}

TEST(ReportText, BreaksLongSentencesBetweenWords) {
  DescribedFinding finding = race();
  finding.sentence.clear();
  for (int i = 0; i < 60; ++i)
    finding.sentence += "word ";
  const std::string text = finding_text(finding, "", {.width = 70});
  size_t words = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = text.find('\n', start);
    EXPECT_LE(end - start, 70u) << text.substr(start, end - start);
    start = end + 1;
  }
  for (size_t at = text.find("word"); at != std::string::npos; at = text.find("word", at + 1))
    ++words;
  EXPECT_EQ(words, 60u);
}

TEST(ReportText, CutsDeepStacks) {
  DescribedFinding finding = race();
  finding.places[0].frames.assign(40, frame("deep", "/src/a.cpp", 1));
  const std::string text = finding_text(finding, "", {});
  EXPECT_NE(text.find("#15 deep  "), std::string::npos);
  EXPECT_EQ(text.find("#16"), std::string::npos);
  EXPECT_NE(text.find("and 24 more frames"), std::string::npos);
}

TEST(ReportText, ShowsTheScriptAndTheFramesBeforeTheInterpreter) {
  DescribedFinding finding = race();
  finding.places[0].script = {frame("step", "/src/train.py", 12),
                              frame("<module>", "/src/train.py", 30)};
  Frame interpreter = frame("_PyEval_EvalFrameDefault", "", 0);
  interpreter.module = "/usr/bin/python3.11";
  Frame binding = frame("bind_copy", "", 0);
  binding.module = "/site-packages/acl.cpython-311-x86_64-linux-gnu.so";
  finding.places[0].frames = {frame("helper", "", 0), binding, interpreter, interpreter};
  const std::string text = finding_text(finding, "/src", {});
  EXPECT_NE(text.find("#0  step      train.py:12"), std::string::npos);
  EXPECT_LT(text.find("train.py:12"), text.find("#1  <module>  train.py:30"));
  EXPECT_LT(text.find("train.py:30"), text.find("native:"));
  EXPECT_LT(text.find("native:"), text.find("#0  helper"));
  EXPECT_EQ(text.find("bind_copy"), std::string::npos);
  EXPECT_EQ(text.find("_PyEval"), std::string::npos);
}

TEST(ReportText, LeavesOutThreadStartsAndTheInsideOfTheLibrary) {
  DescribedFinding finding = race();
  Frame inside = frame("ferry::process_report(int)", "/src/core/report_threads.cpp", 267);
  inside.module = "/opt/lib64/libascendcl.so";
  Frame exported = frame("aclrtProcessReport", "/src/dispatch/api_list.def", 178);
  exported.module = inside.module;
  Frame routine = frame("", "", 0);
  routine.module = "/lib/libstdc++.so.6";
  finding.places.resize(1);
  finding.places[0].frames = {
      frame("callback", "/src/a.cpp", 1),
      inside,
      exported,
      frame("serve", "/src/a.cpp", 2),
      frame("void std::__invoke_impl<void, void (*)()>(int)", "/usr/include/invoke.h", 61),
      frame("std::thread::_Invoker<int>::operator()()", "/usr/include/thread", 3),
      routine};
  const std::string text = finding_text(finding, "/src", {});
  EXPECT_NE(text.find("ferry:     #0  callback            a.cpp:1\n"
                      "ferry:     #1  aclrtProcessReport  (/opt/lib64/libascendcl.so+0x1234)\n"
                      "ferry:     #2  serve               a.cpp:2\n"
                      "ferry:\n"),
            std::string::npos)
      << text;
}

// Standard error is a terminal while one lives.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    int end = -1;
    EXPECT_EQ(openpty(&reader_, &end, nullptr, nullptr, &size), 0);
    dup2(end, STDERR_FILENO);
    ::close(end);
  }
  ~Terminal() {
    dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(reader_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

 private:
  const int before_ = dup(STDERR_FILENO);
  int reader_ = -1;
};

TextStyle style_on_terminal(unsigned short columns, const char* term) {
  setenv("TERM", term, 1);
  const Terminal terminal(columns);
  return style_of_stderr();
}

TEST(ReportText, FollowsTheTerminal) {
  unsetenv("NO_COLOR");
  const TextStyle style = style_on_terminal(80, "xterm");
  EXPECT_TRUE(style.is_terminal);
  EXPECT_TRUE(style.has_colours);
  EXPECT_EQ(style.width, 80u);
  EXPECT_EQ(style_on_terminal(20, "xterm").width, 60u);
  EXPECT_EQ(style_on_terminal(500, "xterm").width, 120u);
  EXPECT_FALSE(style_on_terminal(80, "dumb").has_colours);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(style_on_terminal(80, "xterm").has_colours);
  unsetenv("NO_COLOR");
}

TEST(ReportText, HasColoursOnlyWhereTheyAreWanted) {
  EXPECT_EQ(finding_text(race(), "", {}).find('\033'), std::string::npos);
  const std::string text = finding_text(race(), "", {.has_colours = true});
  EXPECT_NE(text.find("\033[1;31merror\033[0m"), std::string::npos);
  DescribedFinding note = race();
  note.rule = &kLeak;
  EXPECT_NE(finding_text(note, "", {.has_colours = true}).find("\033[1;36mnote\033[0m"),
            std::string::npos);
}

TEST(ReportText, SumsUpByRule) {
  const std::vector<RuleTally> tallies{
      {.rule = &kRace, .findings = 14, .places = 2},
      {.rule = &kLeak, .findings = 1, .places = 1, .suppressed = 3}};
  const Overview overview{.schedule = "shuffle:7",
                          .file = "/tmp/report.json",
                          .again = "ferry run --check --schedule shuffle:7 -- ./a 'b c'",
                          .calls = 1204,
                          .streams = 1,
                          .findings = {},
                          .tallies = tallies};
  EXPECT_EQ(summary_text(overview, {}),
            "ferry: findings by rule:\n"
            "ferry:   stream-race  error  14 times at 2 places\n"
            "ferry:   leak         note   1 time at 1 place\n"
            "ferry:   again: ferry run --check --schedule shuffle:7 -- ./a 'b c'\n"
            "ferry:   report: /tmp/report.json\n"
            "ferry: checked 1,204 calls on 1 stream: 14 errors, 1 note, 3 suppressed\n");
}

TEST(ReportText, EndsWithALineWhenThereIsNothing) {
  const std::vector<RuleTally> tallies{{.rule = &kRace}};
  const Overview overview{
      .schedule = "lazy", .calls = 1234567, .streams = 2, .findings = {}, .tallies = tallies};
  EXPECT_EQ(summary_text(overview, {}),
            "ferry: checked 1,234,567 calls on 2 streams: no errors, no notes\n");
}

TEST(ReportText, SaysWhatIsSuppressedAndWhere) {
  const std::vector<RuleTally> tallies{{.rule = &kRace, .suppressed = 1000}};
  const Overview overview{
      .file = "/tmp/r.json", .again = "x", .calls = 1, .streams = 0, .tallies = tallies};
  EXPECT_EQ(summary_text(overview, {}),
            "ferry:   report: /tmp/r.json\n"
            "ferry: checked 1 call on no streams: no errors, no notes, 1,000 suppressed\n");
}

TEST(ReportText, WarnsAboutAProgramWithoutCalls) {
  const TextStyle wide{.width = 200};
  EXPECT_EQ(silence_text({}, {"./a", "b c"}, false, wide),
            "ferry: warning: ./a 'b c' made no AscendCL call: is it linked with libascendcl.so? "
            "ferry info ./a shows what it loads\n"
            "ferry: checked no calls on no streams: no errors, no notes\n");
  EXPECT_EQ(silence_text({}, {"make"}, true, wide),
            "ferry: make made no AscendCL call itself; the processes it started report for "
            "themselves\n"
            "ferry: checked no calls on no streams: no errors, no notes\n");
  const std::string text = silence_text({}, {"python3", std::string(5000, 'x')}, false, wide);
  EXPECT_NE(text.find("python3 ... made no"), std::string::npos) << text;
}

TEST(ReportText, AnnotatesLinesForGitHub) {
  DescribedFinding hidden = race();
  hidden.is_suppressed = true;
  DescribedFinding nowhere = race();
  nowhere.places.clear();
  DescribedFinding note = race();
  note.rule = &kLeak;
  note.sentence = "50%: left,\nbehind";
  note.places[0].frames[0].file = "/usr/include/c++/copy.h";  // not the program's own
  const std::vector<DescribedFinding> findings{race(), hidden, nowhere, note};
  const Overview overview{.folder = "/src", .findings = findings, .tallies = {}};
  EXPECT_EQ(github_annotations(overview),
            "::error file=a.cpp,line=12,title=stream-race::Two copies write the same 64 bytes at "
            "0x1000.\n"
            "::notice file=main.cpp,line=40,title=leak::50%25: left,%0Abehind\n");
}

}  // namespace
}  // namespace ferry::layers::check
