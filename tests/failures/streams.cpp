// SPDX-License-Identifier: Apache-2.0
// Chapters about streams, events, notifies, and functions of the program that streams call.
#include "attempt.h"
#include "program.h"

#include "ferry/ferry.h"

#include <pthread.h>

#include <atomic>

namespace failures {
namespace {

std::atomic<uint64_t> function_calls{0};

void count_call(void* /*argument*/) {
  ++function_calls;
}

void count_exception(aclrtExceptionInfo* info) {
  if (aclrtGetErrorCodeFromExceptionInfo(info) != 0) ++function_calls;
}

// Queues a copy that fails when it runs.
void queue_bad_copy(const Bench& bench, aclrtStream stream) {
  constexpr size_t kTooMuch = 2 * Bench::kBytes;
  OK(aclrtMemcpyAsync(bench.device, kTooMuch, bench.source, kTooMuch, ACL_MEMCPY_HOST_TO_DEVICE,
                      stream));
}

// The bad copy has failed; or it could not be looked at, for lack of memory.
void expect_task_failed(aclError code) {
  if (outcome.expect == Expect::kAnything || code == ACL_ERROR_RT_TS_ERROR) return;
  if (!is_shortage(code)) return complain_code("the synchronisation", code, "");
  ++outcome.failures;
}

// A thread that runs callbacks until it is told to stop.
class ReportThread {
 public:
  ReportThread() : is_running_(pthread_create(&thread_, nullptr, serve, this) == 0) {}
  ~ReportThread() {
    is_stopped_.store(true);
    if (is_running_) pthread_join(thread_, nullptr);
  }
  bool is_running() const { return is_running_; }
  uint64_t id() const { return static_cast<uint64_t>(thread_); }

 private:
  static void* serve(void* self) {
    const auto& own = *static_cast<ReportThread*>(self);
    while (!own.is_stopped_.load())
      static_cast<void>(aclrtProcessReport(10));
    return nullptr;
  }

  std::atomic<bool> is_stopped_{false};
  pthread_t thread_{};
  const bool is_running_;
};

}  // namespace

void use_streams(Bench& bench) {
  aclrtStreamConfigHandle* config = MADE(aclrtCreateStreamConfigHandle());
  aclrtStream configured = nullptr;
  OK(aclrtCreateStreamV2(&configured, config));
  if (config != nullptr) OK(aclrtDestroyStreamConfigHandle(config));
  aclrtStream urgent = nullptr;
  OK(aclrtCreateStreamWithConfig(&urgent, 2, ACL_STREAM_FAST_LAUNCH));
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 1, Bench::kBytes, urgent));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  OK(aclrtStreamQuery(urgent, &status));
  OK(aclrtSynchronizeStreamWithTimeout(urgent, -1));
  OK(aclrtMemsetAsync(bench.second, Bench::kBytes, 1, Bench::kBytes, configured));
  OK(aclrtStreamAbort(configured));
  if (configured != nullptr) OK(aclrtDestroyStreamForce(configured));
  if (urgent != nullptr) OK(aclrtDestroyStream(urgent));
  // The default stream.
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 1, Bench::kBytes, nullptr));
  OK(aclrtSynchronizeStream(nullptr));
}

void use_events(Bench& bench) {
  aclrtEvent start = nullptr;
  aclrtEvent end = nullptr;
  OK(aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC));
  OK(aclrtCreateEvent(&end));
  OK(aclrtRecordEvent(start, bench.stream));
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 2, Bench::kBytes, bench.stream));
  OK(aclrtRecordEvent(end, bench.stream));
  OK(aclrtStreamWaitEvent(bench.other, end));
  OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                      ACL_MEMCPY_DEVICE_TO_HOST, bench.other));
  OK(aclrtSynchronizeStream(bench.other));
  expect_filled("a copy behind an event", bench.target, 2, Bench::kBytes);
  OK(aclrtSynchronizeEvent(end));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  OK(aclrtQueryEventStatus(end, &status));
  float milliseconds = 0;
  OK(aclrtEventElapsedTime(&milliseconds, start, end));
  OK(aclrtStreamWaitEventWithTimeout(bench.stream, end, 1000));
  OK(aclrtResetEvent(end, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  if (start != nullptr) OK(aclrtDestroyEvent(start));
  if (end != nullptr) OK(aclrtDestroyEvent(end));
}

// Two events of this process on the same records; other processes would do the same.
void use_shared_events(Bench& bench) {
  aclrtEvent created = nullptr;
  aclrtEvent opened = nullptr;
  aclrtIpcEventHandle handle{};
  OK(aclrtCreateEventExWithFlag(&created, ACL_EVENT_IPC));
  if (created == nullptr) return;
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 3, Bench::kBytes, bench.stream));
  OK(aclrtRecordEvent(created, bench.stream));
  OK(aclrtIpcGetEventHandle(created, &handle));
  OK(aclrtIpcOpenEventHandle(handle, &opened));
  if (opened != nullptr) {
    OK(aclrtStreamWaitEvent(bench.other, opened));
    OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                        ACL_MEMCPY_DEVICE_TO_HOST, bench.other));
    OK(aclrtRecordEvent(opened, bench.other));
    OK(aclrtSynchronizeEvent(created));
    expect_filled("a copy behind a shared event", bench.target, 3, Bench::kBytes);
    OK(aclrtDestroyEvent(opened));
  }
  OK(aclrtSynchronizeStream(bench.other));
  OK(aclrtSynchronizeStream(bench.stream));
  OK(aclrtDestroyEvent(created));
}

void use_notifies(Bench& bench) {
  aclrtNotify notify = nullptr;
  OK(aclrtCreateNotify(&notify, 0));
  OK(aclrtWaitAndResetNotify(notify, bench.other, 1000));
  OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                      ACL_MEMCPY_DEVICE_TO_HOST, bench.other));
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 4, Bench::kBytes, bench.stream));
  OK(aclrtRecordNotify(notify, bench.stream));
  OK(aclrtSynchronizeStream(bench.other));
  expect_filled("a copy behind a notify", bench.target, 4, Bench::kBytes);
  OK(aclrtNotifyBatchReset(&notify, 1));
  if (notify != nullptr) OK(aclrtDestroyNotify(notify));
}

void use_values(Bench& bench) {
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 5, Bench::kBytes, bench.stream));
  // Nothing waits for a value that could not be stored.
  aclError stored = ACL_ERROR_FAILURE;
  OK(stored = aclrtValueWrite(bench.second, 1, 0, bench.stream));
  if (stored == ACL_SUCCESS) {
    OK(aclrtValueWait(bench.second, 1, ACL_STREAM_WAIT_VALUE_EQ, bench.other));
    OK(aclrtSynchronizeStream(bench.other));
  }
  OK(aclrtSynchronizeStream(bench.stream));
  OK(aclrtStreamStop(bench.stream));
  OK(aclrtDeviceTaskAbort(0, 0));
}

void ignore_stream(aclrtStream /*stream*/, aclrtStreamState /*state*/, void* /*args*/) {}
void ignore_device(int32_t /*device*/, aclrtDeviceState /*state*/, void* /*args*/) {}
int32_t accept_abort(int32_t /*device*/, aclrtDeviceTaskAbortStage /*stage*/, uint32_t /*timeout*/,
                     void* /*args*/) {
  return 0;
}

void use_state_callbacks() {
  OK(aclrtRegStreamStateCallback("failures", ignore_stream, nullptr));
  OK(aclrtRegDeviceStateCallback("failures", ignore_device, nullptr));
  OK(aclrtSetDeviceTaskAbortCallback("failures", accept_abort, nullptr));
  OK(aclrtExceptionInfoCallbackRegister(count_exception));
  OK(aclrtDeviceTaskAbort(0, 0));
  OK(aclrtExceptionInfoCallbackUnregister(count_exception));
  OK(aclrtSetDeviceTaskAbortCallback("failures", nullptr, nullptr));
  OK(aclrtRegDeviceStateCallback("failures", nullptr, nullptr));
  OK(aclrtRegStreamStateCallback("failures", nullptr, nullptr));
}

void use_host_functions(Bench& bench) {
  function_calls = 0;
  for (int i = 0; i < 3; ++i)
    OK(aclrtLaunchHostFunc(bench.stream, count_call, nullptr));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_equal("the number of host functions that ran", function_calls, 3);
}

void use_callbacks(Bench& bench) {
  const ReportThread thread;
  if (!thread.is_running()) return;  // the program itself has no memory for it
  function_calls = 0;
  OK(aclrtSubscribeReport(thread.id(), bench.stream));
  OK(aclrtLaunchCallback(count_call, nullptr, ACL_CALLBACK_BLOCK, bench.stream));
  OK(aclrtLaunchCallback(count_call, nullptr, ACL_CALLBACK_NO_BLOCK, bench.stream));
  OK(aclrtLaunchCallback(count_call, nullptr, ACL_CALLBACK_BLOCK, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_equal("the number of callbacks that ran", function_calls, 3);
  OK(aclrtUnSubscribeReport(thread.id(), bench.stream));
}

void use_device_functions(Bench& bench) {
  if (uses_cuda()) return;  // host code cannot act as a kernel there
  function_calls = 0;
  // Only one: how many threads there are in the end must not depend on chance.
  OK(ferryLaunchDeviceFunction(bench.stream, count_call, nullptr));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_equal("the number of device functions that ran", function_calls, 1);
}

void use_exception_callback(Bench& bench) {
  if (!outcome.misuses) return;
  function_calls = 0;
  OK(aclrtSetExceptionInfoCallback(count_exception));
  queue_bad_copy(bench, bench.stream);
  expect_task_failed(aclrtSynchronizeStream(bench.stream));
  expect_equal("the number of reports", function_calls, 1);
  OK(aclrtSetExceptionInfoCallback(nullptr));
  OK(aclrtSynchronizeStream(bench.stream));
}

void use_stop_mode() {
  if (!outcome.misuses) return;
  aclrtContext before = nullptr;
  OK(aclrtGetCurrentContext(&before));
  aclrtContext context = nullptr;
  OK(aclrtCreateContext(&context, 0));
  Bench bench;
  bench.make();
  OK(aclrtSetStreamFailureMode(bench.stream, ACL_STOP_ON_FAILURE));
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 1, Bench::kBytes, bench.other));
  queue_bad_copy(bench, bench.stream);
  expect_task_failed(aclrtSynchronizeStream(bench.stream));
  expect_task_failed(aclrtSynchronizeStream(bench.other));
  bench.destroy();
  if (context != nullptr) OK(aclrtDestroyContext(context));
  OK(aclrtSetCurrentContext(before));
}

void misuse(Bench& bench) {
  if (!outcome.misuses) return;
  aclrtStream dead = nullptr;
  OK(aclrtCreateStream(&dead));
  if (dead != nullptr) OK(aclrtDestroyStream(dead));
  CODE(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeStream(dead));
  char host[64];
  CODE(ACL_ERROR_RT_PARAM_INVALID,
       aclrtMemcpy(host, sizeof host, static_cast<char*>(bench.device) + Bench::kBytes - 8,
                   sizeof host, ACL_MEMCPY_DEVICE_TO_HOST));
  CODE(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(bench.device));
  CODE(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(77));
  static_cast<void>(aclGetRecentErrMsg());
}

}  // namespace failures
