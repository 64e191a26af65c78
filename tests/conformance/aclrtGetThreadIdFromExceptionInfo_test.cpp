// SPDX-License-Identifier: Apache-2.0
// aclrtGetThreadIdFromExceptionInfo: the thread on which a task failed.
#include "support/failure_reports.h"

namespace conformance::aclrtGetThreadIdFromExceptionInfo_test {
namespace {

using AclrtGetThreadIdFromExceptionInfo = WithStream;

TEST_F(AclrtGetThreadIdFromExceptionInfo, NamesAThreadOfTheProcess) {
  const uint32_t thread = report_of_failure(aclrtGetThreadIdFromExceptionInfo, stream_).value;
  EXPECT_EQ(0, access(("/proc/self/task/" + std::to_string(thread)).c_str(), F_OK)) << thread;
}

TEST_F(AclrtGetThreadIdFromExceptionInfo, KnowsAReportOnlyDuringItsCallback) {
  expect_read_in_callback_only(aclrtGetThreadIdFromExceptionInfo, stream_);
}

TEST_F(AclrtGetThreadIdFromExceptionInfo, SurvivesWhatIsNoReport) {
  expect_no_report(aclrtGetThreadIdFromExceptionInfo);
}

}  // namespace
}  // namespace conformance::aclrtGetThreadIdFromExceptionInfo_test
