// SPDX-License-Identifier: Apache-2.0
// aclrtGetTaskIdFromExceptionInfo: the number of the failed task on its stream.
#include "support/failure_reports.h"

namespace conformance::aclrtGetTaskIdFromExceptionInfo_test {
namespace {

using AclrtGetTaskIdFromExceptionInfo = WithStream;

TEST_F(AclrtGetTaskIdFromExceptionInfo, GrowsFromTaskToTask) {
  const FailureReports reports(aclrtGetTaskIdFromExceptionInfo);
  BadCopy copy;
  copy.queue(stream_);
  copy.queue(stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  const std::vector<FailureReports::Report> all = FailureReports::all();
  ASSERT_EQ(2u, all.size());
  EXPECT_LT(all[0].value, all[1].value);
}

TEST_F(AclrtGetTaskIdFromExceptionInfo, KnowsAReportOnlyDuringItsCallback) {
  expect_read_in_callback_only(aclrtGetTaskIdFromExceptionInfo, stream_);
}

TEST_F(AclrtGetTaskIdFromExceptionInfo, SurvivesWhatIsNoReport) {
  expect_no_report(aclrtGetTaskIdFromExceptionInfo);
}

}  // namespace
}  // namespace conformance::aclrtGetTaskIdFromExceptionInfo_test
