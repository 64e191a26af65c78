// SPDX-License-Identifier: Apache-2.0
// Ferry's functions for the checker: its counts and report, and what programs tell it of scripts,
// frameworks and their allocators.
#include "support/contract.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <cstring>
#include <string>
#include <string_view>
#include <thread>

namespace conformance::ferry_check_test {
namespace {

std::string report_text() {
  std::string report(ferryCheckReport(nullptr, 0) + 1, '\0');
  static_cast<void>(ferryCheckReport(report.data(), report.size()));
  return report;
}

FERRY_PROCESS_TEST(FerryCheckCount, IsZeroWhileTheCheckIsOff, "FERRY_CHECK=0") {
  EXPECT_EQ(0u, ferryCheckCount(nullptr));
  EXPECT_EQ(0u, ferryCheckCount("leak"));
}

FERRY_PROCESS_TEST(FerryCheckReport, IsEmptyWhileTheCheckIsOff, "FERRY_CHECK=0") {
  char text[2] = {'x', 'x'};
  EXPECT_EQ(0u, ferryCheckReport(text, sizeof text));
  EXPECT_EQ('\0', text[0]);
}

FERRY_PROCESS_TEST(FerryCheckReport, IsCutToSize, "FERRY_CHECK=1") {
  const size_t length = ferryCheckReport(nullptr, 0);
  ASSERT_LT(100u, length);
  std::string whole(length + 1, 'x');
  EXPECT_EQ(length, ferryCheckReport(whole.data(), whole.size()));
  EXPECT_EQ(length, std::strlen(whole.c_str()));
  EXPECT_EQ('{', whole[0]);
  char part[4] = {'x', 'x', 'x', 'x'};
  EXPECT_EQ(length, ferryCheckReport(part, 3));
  EXPECT_EQ(whole.substr(0, 2), part);
  EXPECT_EQ('x', part[3]);
}

int script_calls = 0;

size_t count_script_calls(char* text, size_t size) {
  ++script_calls;
  constexpr std::string_view kLine = "step  /src/train.py:12\n";
  return kLine.copy(text, size);
}

FERRY_PROCESS_TEST(FerrySetScriptStack, IsNotAskedWhileTheCheckIsOff, "FERRY_CHECK=0") {
  ferrySetScriptStack(count_script_calls);
  EXPECT_NE(ACL_SUCCESS, aclrtFree(&script_calls));
  EXPECT_EQ(0, script_calls);
}

FERRY_PROCESS_TEST(FerrySetScriptStack, IsInReportsUntilTakenBack, "FERRY_CHECK=1") {
  ferrySetScriptStack(count_script_calls);
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeStream(nullptr));
  EXPECT_LT(0, script_calls);
  EXPECT_NE(std::string::npos, report_text().find("/src/train.py"));
  ferrySetScriptStack(nullptr);
  script_calls = 0;
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
  EXPECT_EQ(0, script_calls);
}

TEST(FerryNoteWork, ReturnsTheOneBeforeOfThisThread) {
  EXPECT_EQ(nullptr, ferryNoteWork("aten::add(float32[4])"));
  std::thread([] { EXPECT_EQ(nullptr, ferryNoteWork(nullptr)); }).join();
  EXPECT_STREQ("aten::add(float32[4])", ferryNoteWork(nullptr));
  EXPECT_EQ(nullptr, ferryNoteWork(nullptr));
}

FERRY_PROCESS_TEST(FerryNoteWork, NamesTheWorkInReports, "FERRY_CHECK=1") {
  ferryNoteWork("framework::wait(all)");
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeStream(nullptr));
  ferryNoteWork(nullptr);
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
  const std::string report = report_text();
  const size_t first = report.find("framework::wait(all)");
  ASSERT_NE(std::string::npos, first);
  EXPECT_EQ(std::string::npos, report.find("framework::wait(all)", first + 1));
}

// Two streams fill the same block. The program's allocator took it back in between, or not.
void fill_on_two_streams(bool is_reused) {
  ASSERT_EQ(ACL_SUCCESS, aclInit(nullptr));
  ASSERT_EQ(ACL_SUCCESS, aclrtSetDevice(0));
  char* pool = nullptr;
  ASSERT_EQ(ACL_SUCCESS,
            aclrtMalloc(reinterpret_cast<void**>(&pool), 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  aclrtStream streams[2] = {};
  for (aclrtStream& stream : streams)
    ASSERT_EQ(ACL_SUCCESS, aclrtCreateStream(&stream));
  ferryNoteBlockTaken(pool);
  ferryNoteBlockTaken(pool + 1024);
  EXPECT_EQ(ACL_SUCCESS, aclrtMemsetAsync(pool + 1024, 512, 1, 512, streams[0]));
  ferryNoteBlockReleased(pool);  // another one
  if (is_reused) {
    ferryNoteBlockReleased(pool + 1024);
    ferryNoteBlockTaken(pool + 1024);
  }
  EXPECT_EQ(ACL_SUCCESS, aclrtMemsetAsync(pool + 1024, 512, 2, 512, streams[1]));
  for (aclrtStream stream : streams) {
    EXPECT_EQ(ACL_SUCCESS, aclrtSynchronizeStream(stream));
    EXPECT_EQ(ACL_SUCCESS, aclrtDestroyStream(stream));
  }
  EXPECT_EQ(1u, ferryCheckCount("stream-race"));
  EXPECT_EQ(ACL_SUCCESS, aclrtFree(pool));
}

FERRY_PROCESS_TEST(FerryNoteBlockReleased, IsInTheReportOfARaceOnABlockGivenOutAgain,
                   "FERRY_CHECK=1") {
  fill_on_two_streams(true);
  EXPECT_NE(std::string::npos, report_text().find("the block was released"));
}

FERRY_PROCESS_TEST(FerryNoteBlockTaken, TellsBlocksThatWereNotReleased, "FERRY_CHECK=1") {
  fill_on_two_streams(false);
  EXPECT_EQ(std::string::npos, report_text().find("the block was released"));
}

TEST(FerryNoteScriptPlace, ReturnsTheOneBeforeOfThisThread) {
  EXPECT_EQ(nullptr, ferryNoteScriptPlace("step  /src/train.py:12"));
  std::thread([] { EXPECT_EQ(nullptr, ferryNoteScriptPlace(nullptr)); }).join();
  EXPECT_STREQ("step  /src/train.py:12", ferryNoteScriptPlace(nullptr));
  EXPECT_EQ(nullptr, ferryNoteScriptPlace(nullptr));
}

FERRY_PROCESS_TEST(FerryWantsScriptPlaces, OnlyWhileTracing, "FERRY_CHECK=0") {
  EXPECT_EQ(0, ferryWantsScriptPlaces());
}

FERRY_PROCESS_TEST(FerryCheckCount, KnowsOnlyRules) {
  EXPECT_EQ(FERRY_NOT_COUNTED, ferryCheckCount("leek"));
  EXPECT_EQ(0u, recent_text().find("ferryCheckCount: leek is no rule"));
  EXPECT_EQ(FERRY_NOT_COUNTED, ferryCheckCount(""));
}

TEST(FerryCheckUnexplained, RefusesNullAndWhatIsNoRule) {
  EXPECT_EQ(FERRY_NOT_COUNTED, ferryCheckUnexplained(nullptr));
  EXPECT_EQ(0u, recent_text().find("ferryCheckUnexplained: rule is NULL"));
  EXPECT_EQ(FERRY_NOT_COUNTED, ferryCheckUnexplained("leek"));
}

FERRY_PROCESS_TEST(FerryCheckReport, WritesNothingWhereThereIsNoRoom, "FERRY_CHECK=1") {
  char text = 'x';
  EXPECT_LT(0u, ferryCheckReport(&text, 0));
  EXPECT_EQ('x', text);
}

}  // namespace
}  // namespace conformance::ferry_check_test
