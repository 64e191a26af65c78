// SPDX-License-Identifier: Apache-2.0
// aclrtGetErrorCodeFromExceptionInfo: the code a task failed with.
#include "support/failure_reports.h"

namespace conformance::aclrtGetErrorCodeFromExceptionInfo_test {
namespace {

using AclrtGetErrorCodeFromExceptionInfo = WithStream;

TEST_F(AclrtGetErrorCodeFromExceptionInfo, TellsTheCodeOfTheSynchronisation) {
  EXPECT_EQ(static_cast<uint32_t>(ACL_ERROR_RT_TS_ERROR),
            report_of_failure(aclrtGetErrorCodeFromExceptionInfo, stream_).value);
}

TEST_F(AclrtGetErrorCodeFromExceptionInfo, KnowsAReportOnlyDuringItsCallback) {
  expect_read_in_callback_only(aclrtGetErrorCodeFromExceptionInfo, stream_);
}

TEST_F(AclrtGetErrorCodeFromExceptionInfo, SurvivesWhatIsNoReport) {
  expect_no_report(aclrtGetErrorCodeFromExceptionInfo);
}

}  // namespace
}  // namespace conformance::aclrtGetErrorCodeFromExceptionInfo_test
