// SPDX-License-Identifier: Apache-2.0
// FERRY_LOG=error: outcomes that a correct program meets all the time are not in the log; failures
// are.
#include "support/captured_process.h"
#include "support/needs.h"
#include "support/report_server.h"
#include "support/streams.h"

namespace conformance::expected_outcomes_in_the_log_test {
namespace {

using streams::Event;
using streams::Stream;

void poll_for_callbacks() {
  EXPECT_FAILS_WITH(107012, aclrtProcessReport(1));
  const Stream stream;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream));
  EXPECT_FAILS_WITH(507012, aclrtProcessReport(1));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream));
}

void wait_with_a_limit() {
  const Stream stream;
  const Event event = Event::plain();
  const Event earlier = Event::plain();
  Gate gate(stream);
  EXPECT_OK(aclrtRecordEvent(earlier, nullptr));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_FAILS_WITH(507046, aclrtSynchronizeStreamWithTimeout(stream, 1));
  EXPECT_FAILS_WITH(507046, aclrtSynchronizeDeviceWithTimeout(1));
  EXPECT_FAILS_WITH(507047, aclrtSynchronizeEventWithTimeout(event, 1));
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &stream_status));
  aclrtEventRecordedStatus event_status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_OK(aclrtQueryEventStatus(event, &event_status));
  float milliseconds = 0;
  EXPECT_FAILS_WITH(107006, aclrtEventElapsedTime(&milliseconds, earlier, event));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

void initialise_twice() {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_FAILS_WITH(100002, aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(100037, aclFinalize());
}

TEST(ExpectedOutcomesInTheLog, AreNotErrors) {
  if (is_child()) {
    aclrtContext context = nullptr;
    EXPECT_FAILS_WITH(107002, aclrtGetCurrentContext(&context));
    initialise_twice();
    ASSERT_OK(aclrtSetDevice(0));
    poll_for_callbacks();
    wait_with_a_limit();
  } else {
    const EndedProcess ended = run_this_test_apart({"FERRY_LOG=error"});
    EXPECT_EQ(0, ended.status) << ended.standard_error;
    EXPECT_EQ(std::string::npos, ended.standard_error.find(" error ")) << ended.standard_error;
  }
}

TEST(ExpectedOutcomesInTheLog, AreThereForThoseWhoAsk) {
  if (is_child()) {
    ASSERT_OK(aclrtSetDevice(0));
    poll_for_callbacks();
  } else {
    const EndedProcess ended = run_this_test_apart({"FERRY_LOG=info"});
    EXPECT_EQ(0, ended.status) << ended.standard_error;
    EXPECT_NE(std::string::npos, ended.standard_error.find(" info 507012 aclrtProcessReport: "))
        << ended.standard_error;
  }
}

TEST(ExpectedOutcomesInTheLog, FailuresAreErrors) {
  if (is_child()) {
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_FAILS_WITH(100000, aclrtProcessReport(0));
    int no_stream = 0;
    EXPECT_FAILS_WITH(107017, aclrtSynchronizeStream(&no_stream));
  } else {
    const EndedProcess ended = run_this_test_apart({"FERRY_LOG=error"});
    EXPECT_EQ(0, ended.status) << ended.standard_error;
    EXPECT_NE(std::string::npos, ended.standard_error.find(" error 100000 aclrtProcessReport: "))
        << ended.standard_error;
    EXPECT_NE(std::string::npos,
              ended.standard_error.find(" error 107017 aclrtSynchronizeStream: "))
        << ended.standard_error;
  }
}

TEST(ExpectedOutcomesInTheLog, WorkThatFailsOnItsStreamIsDescribed) {
  NEEDS_CPU_DEVICE("other devices may copy before the memory is freed");
  if (is_child()) {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    DeviceBuffer device(64);
    void* freed = nullptr;
    ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemcpyAsync(device.get(), 64, freed, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    ASSERT_OK(aclrtFree(freed));
    EXPECT_NE(ACL_SUCCESS, aclrtSynchronizeStream(stream));
  } else {
    const EndedProcess ended = run_this_test_apart({"FERRY_LOG=error", "FERRY_SCHEDULE=lazy"});
    EXPECT_EQ(0, ended.status) << ended.standard_error;
    EXPECT_NE(std::string::npos, ended.standard_error.find("task 0: copy of 64 bytes from 0x"))
        << ended.standard_error;
  }
}

}  // namespace
}  // namespace conformance::expected_outcomes_in_the_log_test
