// SPDX-License-Identifier: Apache-2.0
// FERRY_FAIL beyond the n-th call: tasks that fail or come late when they run, single streams, and
// probabilities. Each test is a process of its own.
#include "support/exception_counts.h"
#include "support/values.h"

#include <chrono>

namespace conformance::injected_tasks_test {
namespace {

using streams::Event;
using streams::Mark;
using streams::Notify;
using streams::Stream;

class SetDevice {
 public:
  SetDevice() { EXPECT_OK(aclrtSetDevice(0)); }
  ~SetDevice() { EXPECT_OK(aclrtResetDevice(0)); }
  SetDevice(const SetDevice&) = delete;
  SetDevice& operator=(const SetDevice&) = delete;
};

int exceptions = 0;

void note_exception(aclrtExceptionInfo* info) {
  EXPECT_EQ(507001u, aclrtGetErrorCodeFromExceptionInfo(info));
  EXPECT_EQ(1u, aclrtGetTaskIdFromExceptionInfo(info));
  ++exceptions;
}

FERRY_PROCESS_TEST(InjectedTasks, FailWhenTheyRun, "FERRY_FAIL=aclrtMemcpyAsync:2@run=507001") {
  const SetDevice device;
  const Stream stream;
  EXPECT_OK(aclrtSetExceptionInfoCallback(note_exception));
  Mark first;
  Mark second;
  Mark third;
  EXPECT_OK(first.queue(stream));
  EXPECT_OK(second.queue(stream));
  EXPECT_OK(third.queue(stream));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("aclrtMemcpyAsync failed: failed on purpose")) << text;
  EXPECT_TRUE(first.is_reached());
  EXPECT_FALSE(second.is_reached()) << "a task that fails does nothing";
  EXPECT_TRUE(third.is_reached());
  EXPECT_EQ(1, exceptions);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

FERRY_PROCESS_TEST(InjectedTasks, StopAContextThatStopsOnFailure,
                   "FERRY_FAIL=aclrtMemcpyAsync:1@run=507015") {
  const SetDevice device;
  const Stream stream;
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  Mark mark;
  EXPECT_OK(mark.queue(stream));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream));
  EXPECT_EQ(507015, mark.queue(stream));
}

// What waits for the record, or the notify, goes on.
FERRY_PROCESS_TEST(InjectedTasks, LetRecordsComeThatFail,
                   "FERRY_FAIL=aclrtRecordEvent:1@run=507000,aclrtRecordNotify:1@run=507000") {
  const SetDevice device;
  const Stream stream;
  const Stream waiting;
  const Event event = Event::ex();
  const Notify notify;
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_EQ(507000, aclrtSynchronizeStream(stream));
}

FERRY_PROCESS_TEST(InjectedTasks, DoNotCallFunctionsThatFail,
                   "FERRY_FAIL=aclrtLaunchHostFunc:1@run=507000") {
  const SetDevice device;
  const Stream stream;
  int calls = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  EXPECT_OK(aclrtLaunchHostFunc(stream, count, &calls));
  EXPECT_OK(aclrtLaunchHostFunc(stream, count, &calls));
  EXPECT_EQ(507000, aclrtSynchronizeStream(stream));
  EXPECT_EQ(1, calls);
}

FERRY_PROCESS_TEST(InjectedTasks, ComeLate,
                   "FERRY_FAIL=aclrtMemcpyAsync:1@run=30ms,aclrtStreamGetId:*=20ms") {
  const SetDevice device;
  const Stream stream;
  Mark mark;
  // At least so late; how much later is up to the machine.
  const auto start = std::chrono::steady_clock::now();
  EXPECT_OK(mark.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(30));
  EXPECT_TRUE(mark.is_reached());
  const auto call = std::chrono::steady_clock::now();
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_GE(std::chrono::steady_clock::now() - call, std::chrono::milliseconds(20));
}

FERRY_PROCESS_TEST(InjectedTasks, OfOneStreamOnly,
                   "FERRY_FAIL=aclrtMemcpyAsync:1@run@stream2=507001,"
                   "aclrtMemsetAsync:2@stream2=207001") {
  const SetDevice device;  // its default stream is stream 0
  const Stream first;
  const Stream second;
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(second, &id));
  ASSERT_EQ(2, id);
  Mark mark;
  EXPECT_OK(mark.queue(first));
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_OK(mark.queue(second));
  EXPECT_EQ(507001, aclrtSynchronizeStream(second));
  const DeviceBuffer buffer(64);
  const aclrtStream elsewhere = first;
  const aclrtStream here = second;
  for (const aclrtStream stream : {elsewhere, elsewhere, here, elsewhere}) {
    EXPECT_OK(aclrtMemsetAsync(buffer.get(), 64, 0, 64, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_EQ(207001, aclrtMemsetAsync(buffer.get(), 64, 0, 64, second)) << "the second one there";
  EXPECT_OK(aclrtMemsetAsync(buffer.get(), 64, 0, 64, nullptr));
  EXPECT_OK(aclrtSynchronizeDevice());
}

int count_failures() {
  int failures = 0;
  for (int i = 0; i < 1000; ++i) {
    uint32_t devices = 0;
    if (aclrtGetDeviceCount(&devices) != ACL_SUCCESS) ++failures;
  }
  clear_errors();
  return failures;
}

// The numbers follow from the seed, on every machine.
FERRY_PROCESS_TEST(InjectedCalls, FailWithAProbability,
                   "FERRY_FAIL=aclrtGetDeviceCount:25%=507000") {
  EXPECT_NEAR(250, count_failures(), 50);
}

FERRY_PROCESS_TEST(InjectedCalls, FailAlwaysWith100Percent,
                   "FERRY_FAIL=aclrtGetDeviceCount:100%@seed9=507000") {
  EXPECT_EQ(1000, count_failures());
}

FERRY_PROCESS_TEST(InjectedCalls, NameFunctionsThatCanDoIt, "FERRY_FAIL=aclrtFree:1=uce") {
  EXPECT_EQ(507033, aclrtSetDevice(0));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("allocates no memory")) << text;
}

FERRY_PROCESS_TEST(InjectedCalls, NameFunctionsWithAStream,
                   "FERRY_FAIL=aclrtFree:1@stream0=107000") {
  EXPECT_EQ(507033, aclrtSetDevice(0));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("has no stream")) << text;
}

}  // namespace
}  // namespace conformance::injected_tasks_test
