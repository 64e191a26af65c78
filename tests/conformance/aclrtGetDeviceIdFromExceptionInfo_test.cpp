// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceIdFromExceptionInfo: the device of a failed task.
#include "support/failure_reports.h"

namespace conformance::aclrtGetDeviceIdFromExceptionInfo_test {
namespace {

using AclrtGetDeviceIdFromExceptionInfo = WithStream;

TEST_F(AclrtGetDeviceIdFromExceptionInfo, NamesTheDevice) {
  EXPECT_EQ(0u, report_of_failure(aclrtGetDeviceIdFromExceptionInfo, stream_).value);
}

FERRY_PROCESS_TEST(AclrtGetDeviceIdFromExceptionInfoProcess, UsesTheProgramsNumber,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  for (const int32_t device : {1, 0}) {
    ASSERT_OK(aclrtSetDevice(device));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_EQ(static_cast<uint32_t>(device),
              report_of_failure(aclrtGetDeviceIdFromExceptionInfo, stream).value);
  }
}

TEST_F(AclrtGetDeviceIdFromExceptionInfo, KnowsAReportOnlyDuringItsCallback) {
  expect_read_in_callback_only(aclrtGetDeviceIdFromExceptionInfo, stream_);
}

TEST_F(AclrtGetDeviceIdFromExceptionInfo, SurvivesWhatIsNoReport) {
  expect_no_report(aclrtGetDeviceIdFromExceptionInfo);
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceIdFromExceptionInfo_test
