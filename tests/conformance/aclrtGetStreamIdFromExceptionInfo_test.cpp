// SPDX-License-Identifier: Apache-2.0
// aclrtGetStreamIdFromExceptionInfo: the number of the stream of a failed task.
#include "support/failure_reports.h"

namespace conformance::aclrtGetStreamIdFromExceptionInfo_test {
namespace {

using AclrtGetStreamIdFromExceptionInfo = WithStream;

TEST_F(AclrtGetStreamIdFromExceptionInfo, AgreesWithAclrtStreamGetId) {
  aclrtStream default_stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  for (const aclrtStream stream : {stream_, default_stream}) {
    int32_t id = -1;
    EXPECT_OK(aclrtStreamGetId(stream, &id));
    EXPECT_EQ(static_cast<uint32_t>(id),
              report_of_failure(aclrtGetStreamIdFromExceptionInfo, stream).value);
  }
}

TEST_F(AclrtGetStreamIdFromExceptionInfo, KnowsAReportOnlyDuringItsCallback) {
  expect_read_in_callback_only(aclrtGetStreamIdFromExceptionInfo, stream_);
}

TEST_F(AclrtGetStreamIdFromExceptionInfo, SurvivesWhatIsNoReport) {
  expect_no_report(aclrtGetStreamIdFromExceptionInfo);
}

}  // namespace
}  // namespace conformance::aclrtGetStreamIdFromExceptionInfo_test
