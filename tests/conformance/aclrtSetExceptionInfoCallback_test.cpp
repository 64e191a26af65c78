// SPDX-License-Identifier: Apache-2.0
// aclrtSetExceptionInfoCallback: reports of failed tasks. The contents of a report are tested with
// the functions that read it.
#include "support/failure_reports.h"

namespace conformance::aclrtSetExceptionInfoCallback_test {
namespace {

using AclrtSetExceptionInfoCallback = WithStream;

TEST_F(AclrtSetExceptionInfoCallback, IsToldBeforeTheSynchronisationReturns) {
  const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo);
  for (size_t failures = 1; failures <= 20; ++failures) {
    BadCopy copy;
    copy.queue(stream_);
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
    ASSERT_EQ(failures, FailureReports::all().size());
  }
}

TEST_F(AclrtSetExceptionInfoCallback, IsToldOnAThreadOfTheLibrary) {
  const FailureReports::Report report =
      report_of_failure(aclrtGetErrorCodeFromExceptionInfo, stream_);
  EXPECT_NE(std::this_thread::get_id(), report.thread);
}

TEST_F(AclrtSetExceptionInfoCallback, IsToldNothingWhenNothingFails) {
  const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo);
  DeviceBuffer device(64);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 1, 64, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(device.get(), 63, 1, 64, stream_));
  EXPECT_TRUE(FailureReports::all().empty());
}

TEST_F(AclrtSetExceptionInfoCallback, IsToldAboutEachTaskOfSeveralStreams) {
  const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo);
  BadCopy copy;
  copy.queue(stream_);
  copy.queue(nullptr);
  copy.queue(stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(3u, FailureReports::all().size());
}

std::atomic<int> g_other_calls{0};

TEST_F(AclrtSetExceptionInfoCallback, ReplacesTheOneBefore) {
  const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo);
  g_other_calls = 0;
  EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++g_other_calls; }));
  BadCopy copy;
  copy.queue(stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(FailureReports::all().empty());
  EXPECT_EQ(1, g_other_calls);
}

TEST_F(AclrtSetExceptionInfoCallback, EndsWithNull) {
  { const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo); }
  BadCopy copy;
  copy.queue(stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(FailureReports::all().empty());
}

TEST_F(AclrtSetExceptionInfoCallback, NeedsNoContext) {
  on_new_thread([] {
    EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST_F(AclrtSetExceptionInfoCallback, CanBeSetWhileTasksFail) {
  BadCopy copy;
  std::atomic<bool> is_over{false};
  std::thread setter([&] {
    while (!is_over) {
      EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++g_other_calls; }));
      EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
    }
  });
  for (int i = 0; i < 50; ++i) {
    copy.queue(stream_);
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  }
  is_over = true;
  setter.join();
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

}  // namespace
}  // namespace conformance::aclrtSetExceptionInfoCallback_test
