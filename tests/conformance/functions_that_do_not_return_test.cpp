// SPDX-License-Identifier: Apache-2.0
// Functions of the program that do not return to the library: they throw, leave with longjmp, or
// end their thread. Their stream records a failure and continues; later functions are called.
#include "support/needs.h"
#include "support/report_server.h"

#include "ferry/ferry.h"

#include <pthread.h>

#include <csetjmp>
#include <future>
#include <stdexcept>

namespace conformance::functions_that_do_not_return_test {
namespace {

constexpr aclError kTaskFailed = 507001;
constexpr aclError kKernelFailed = 507015;
constexpr aclError kThrown = 500000;

// NOLINTNEXTLINE(hicpp-exception-baseclass)
void throw_a_number(void*) {
  throw 7;
}
void throw_an_exception(void*) {
  throw std::runtime_error("no such file");
}
void end_the_thread(void*) {
  pthread_exit(nullptr);
}
void count(void* calls) {
  ++*static_cast<std::atomic<int>*>(calls);
}

using FunctionsThatDoNotReturn = WithStream;

// The failure of the stream, and that the next function is called.
void expect_failure_and_life(aclrtStream stream, const char* what) {
  std::atomic<int> calls{0};
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, 20000));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("aclrtLaunchHostFunc")) << text;
  EXPECT_NE(std::string::npos, text.find(what)) << text;
  EXPECT_OK(aclrtLaunchHostFunc(stream, count, &calls));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 20000));
  EXPECT_EQ(1, calls);
}

TEST_F(FunctionsThatDoNotReturn, AHostFunctionThatThrowsFailsItsStream) {
  EXPECT_OK(aclrtLaunchHostFunc(stream_, throw_a_number, nullptr));
  expect_failure_and_life(stream_, "threw an exception");
  EXPECT_OK(aclrtLaunchHostFunc(stream_, throw_an_exception, nullptr));
  expect_failure_and_life(stream_, "threw an exception: no such file");
}

TEST_F(FunctionsThatDoNotReturn, AHostFunctionThatEndsItsThreadFailsItsStream) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_OK(aclrtLaunchHostFunc(stream_, end_the_thread, nullptr));
    expect_failure_and_life(stream_, "ended its thread");
  }
}

TEST_F(FunctionsThatDoNotReturn, HostFunctionsBehindOneThatEndsItsThreadAreCalled) {
  std::atomic<int> calls{0};
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtLaunchHostFunc(nullptr, end_the_thread, nullptr));
    for (int i = 0; i < 5; ++i) {
      EXPECT_OK(aclrtLaunchHostFunc(nullptr, count, &calls));
      EXPECT_OK(aclrtLaunchHostFunc(stream_, count, &calls));
    }
  }
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(nullptr, 20000));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, 20000));
  EXPECT_EQ(10, calls);
}

TEST_F(FunctionsThatDoNotReturn, AHostFunctionStopsAContextThatStopsOnFailure) {
  const aclrtContext mine = current_context();
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, throw_a_number, nullptr));
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(nullptr, 20000));
  EXPECT_EQ(kTaskFailed, aclrtLaunchHostFunc(nullptr, end_the_thread, nullptr));
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclrtSetCurrentContext(mine));
}

// ---- callbacks, which run on threads of the program ----

// Queues a callback and a mark behind it, both to be served by the calling thread.
void queue_callback(aclrtStream stream, aclrtCallback callback, void* argument,
                    aclrtCallbackBlockType type) {
  EXPECT_OK(aclrtLaunchCallback(callback, argument, type, stream));
}

// Whether the stream has continued with a failure of this kind, and the next callback arrives.
void expect_failure_and_next_callback(aclrtStream stream, const char* what) {
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, 20000));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("aclrtLaunchCallback")) << text;
  EXPECT_NE(std::string::npos, text.find(what)) << text;
  std::atomic<int> calls{0};
  queue_callback(stream, count, &calls, ACL_CALLBACK_BLOCK);
  EXPECT_OK(aclrtProcessReport(20000));
  EXPECT_EQ(1, calls);
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 20000));
}

TEST_F(FunctionsThatDoNotReturn, ACallbackThatThrowsFailsItsStreamAndTheCall) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  for (const aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    queue_callback(stream_, throw_an_exception, nullptr, type);
    EXPECT_FAILS(kThrown, "EH9999", aclrtProcessReport(20000));
    expect_failure_and_next_callback(stream_, "threw an exception: no such file");
  }
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

std::jmp_buf g_start;

void jump_out(void*) {
  std::longjmp(g_start, 1);  // NOLINT(cert-err52-cpp): what the test is about
}

// Serves callbacks until one jumps out.
void serve_until_jump() {
  if (setjmp(g_start) != 0) return;  // NOLINT(cert-err52-cpp)
  aclrtProcessReport(20000);
  ADD_FAILURE() << "the callback has not jumped";
}

TEST_F(FunctionsThatDoNotReturn, ACallbackThatJumpsOutFailsItsStreamAtOnce) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  for (const aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    queue_callback(stream_, jump_out, nullptr, type);
    serve_until_jump();
    expect_failure_and_next_callback(stream_, "left with longjmp");
  }
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

// A jump inside the callback is the callback's own matter.
TEST_F(FunctionsThatDoNotReturn, ACallbackMayJumpInsideItself) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  std::atomic<int> calls{0};
  queue_callback(
      stream_,
      [](void* argument) {
        if (setjmp(g_start) == 0) jump_out(nullptr);  // NOLINT(cert-err52-cpp)
        count(argument);
      },
      &calls, ACL_CALLBACK_BLOCK);
  EXPECT_OK(aclrtProcessReport(20000));
  EXPECT_EQ(1, calls);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

// After the jump the thread is outside the API: the checker must not take its calls for those of a
// callback, nor use what the jump has left.
TEST_F(FunctionsThatDoNotReturn, AThreadThatJumpedOutMayUseTheApi) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  queue_callback(stream_, jump_out, nullptr, ACL_CALLBACK_BLOCK);
  serve_until_jump();
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream_, 20000));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  PinnedBuffer host(4096);
  DeviceBuffer device(4096);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 4096, host.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  host.fill(pattern(4096));
}

TEST_F(FunctionsThatDoNotReturn, ACallbackThatEndsItsThreadFailsItsStream) {
  for (const aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    std::atomic<bool> is_subscribed{false};
    std::thread server([&] {
      while (!is_subscribed)
        std::this_thread::yield();
      aclrtProcessReport(20000);
      ADD_FAILURE() << "the callback has not ended its thread";
    });
    const auto number = static_cast<uint64_t>(server.native_handle());
    EXPECT_OK(aclrtSubscribeReport(number, stream_));
    queue_callback(stream_, end_the_thread, nullptr, type);
    is_subscribed = true;
    server.join();
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream_, 20000));
    EXPECT_NE(std::string::npos, recent_text().find("ended its thread"));
    EXPECT_OK(aclrtUnSubscribeReport(number, stream_));
    EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
    std::atomic<int> calls{0};
    queue_callback(stream_, count, &calls, ACL_CALLBACK_BLOCK);
    EXPECT_OK(aclrtProcessReport(20000));
    EXPECT_EQ(1, calls);
    EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  }
}

// ---- exception callbacks ----

std::atomic<int> g_reports{0};

void expect_reports(aclrtStream stream, aclrtExceptionInfoCallback callback) {
  BadCopy copy;
  g_reports = 0;
  EXPECT_OK(aclrtSetExceptionInfoCallback(callback));
  for (int failures = 1; failures <= 5; ++failures) {
    copy.queue(stream);
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, 20000));
    EXPECT_EQ(failures, g_reports);
  }
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

TEST_F(FunctionsThatDoNotReturn, AnExceptionCallbackThatThrowsIsCalledAgain) {
  expect_reports(stream_, [](aclrtExceptionInfo*) {
    ++g_reports;
    throw_an_exception(nullptr);
  });
}

TEST_F(FunctionsThatDoNotReturn, AnExceptionCallbackThatEndsItsThreadIsCalledAgain) {
  expect_reports(stream_, [](aclrtExceptionInfo*) {
    ++g_reports;
    end_the_thread(nullptr);
  });
}

// ---- device functions ----

void expect_kernel_failure(aclrtStream stream, ferryDeviceFunction function, const char* what) {
  std::atomic<int> calls{0};
  EXPECT_OK(ferryLaunchDeviceFunction(stream, function, nullptr));
  EXPECT_EQ(kKernelFailed, aclrtSynchronizeStreamWithTimeout(stream, 20000));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("ferryLaunchDeviceFunction")) << text;
  EXPECT_NE(std::string::npos, text.find(what)) << text;
  EXPECT_OK(ferryLaunchDeviceFunction(stream, count, &calls));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 20000));
  EXPECT_EQ(1, calls);
}

TEST_F(FunctionsThatDoNotReturn, ADeviceFunctionFailsItsStream) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  for (int i = 0; i < 5; ++i) {
    expect_kernel_failure(stream_, throw_a_number, "threw an exception");
    expect_kernel_failure(stream_, throw_an_exception, "threw an exception: no such file");
    expect_kernel_failure(stream_, end_the_thread, "ended its thread");
  }
}

FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, ADeviceFunctionFailsAStreamOfTheNullBackend,
                   "FERRY_DEVICES=null") {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  for (int i = 0; i < 5; ++i) {
    expect_kernel_failure(stream, throw_a_number, "threw an exception");
    expect_kernel_failure(stream, end_the_thread, "ended its thread");
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

// ---- callbacks of aclInit and aclFinalize, which run during the call ----

aclError jump_at_init(const char*, size_t, void*) {
  jump_out(nullptr);
  return ACL_SUCCESS;
}
aclError jump_at_finalize(void*) {
  jump_out(nullptr);
  return ACL_SUCCESS;
}
aclError end_thread_at_init(const char*, size_t, void*) {
  pthread_exit(nullptr);
}
aclError end_thread_at_finalize(void*) {
  pthread_exit(nullptr);
}
aclError finalize_at_init(const char*, size_t, void*) {
  return aclFinalize();
}

// Makes the call, which a callback leaves.
template <class Call>
void leave(Call call) {
  if (setjmp(g_start) != 0) return;  // NOLINT(cert-err52-cpp)
  call();
  ADD_FAILURE() << "the callback has not jumped";
}

// What the call returns on another thread. A call that does not return fails the test.
template <class Call>
aclError on_another_thread(Call call) {
  auto returned = std::make_shared<std::promise<aclError>>();
  std::future<aclError> code = returned->get_future();
  std::thread([=] { returned->set_value(call()); }).detach();
  if (code.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return code.get();
  ADD_FAILURE() << "the call does not return";
  return ACL_SUCCESS;
}

aclError initialize() {
  return aclInit(nullptr);
}

FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, ACallbackOfAclInitMayJumpOut) {
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, jump_at_init, nullptr));
  leave(initialize);
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, on_another_thread(initialize));
  EXPECT_OK(on_another_thread(aclFinalize));
  leave(initialize);
  EXPECT_OK(on_another_thread(aclFinalize));
}

FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, ACallbackThatIsCalledAtOnceMayJumpOut) {
  EXPECT_OK(aclInit(nullptr));
  leave([] { aclInitCallbackRegister(ACL_REG_TYPE_OTHER, jump_at_init, nullptr); });
  EXPECT_OK(on_another_thread(aclFinalize));
}

FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, ACallbackOfAclFinalizeMayJumpOut) {
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, jump_at_finalize, nullptr));
  EXPECT_OK(aclInit(nullptr));
  leave(aclFinalize);
  EXPECT_EQ(ACL_ERROR_REPEAT_FINALIZE, on_another_thread(aclFinalize));
  EXPECT_OK(on_another_thread(initialize));
}

// Both calls are left, and each has its own hold on the state.
FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, ACallbackInsideACallbackMayJumpOut) {
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, finalize_at_init, nullptr));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, jump_at_finalize, nullptr));
  leave(initialize);
  EXPECT_EQ(ACL_ERROR_REPEAT_FINALIZE, on_another_thread(aclFinalize));
}

FERRY_PROCESS_TEST(FunctionsThatDoNotReturnProcess, CallbacksOfAclInitMayEndTheirThread) {
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, end_thread_at_init, nullptr));
  EXPECT_OK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, end_thread_at_finalize, nullptr));
  on_new_thread(initialize);
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, on_another_thread(initialize));
  on_new_thread(aclFinalize);
  EXPECT_EQ(ACL_ERROR_REPEAT_FINALIZE, on_another_thread(aclFinalize));
}

}  // namespace
}  // namespace conformance::functions_that_do_not_return_test
