// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: a process that ends while there is work or while threads wait,
// or that uses the library during its exit. Its exit status must be its own.
#include "support/devices.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <pthread.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>

namespace conformance::misuse_exit_test {
namespace {

constexpr int kStatus = 42;

// Runs the current test again; the child must end with the status above.
void expect_own_status() {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();
  EXPECT_EQ(kStatus, run_in_process(name.c_str(), {}));
}

// How the child ends when all its checks passed.
[[noreturn]] void end() {
  std::exit(::testing::Test::HasFailure() ? 1 : kStatus);
}

// Never returns. Its objects are not destroyed, because that would wait for this thread.
void block(void*) {
  static auto* s_mutex = new std::mutex;
  static auto* s_never = new std::condition_variable;
  std::unique_lock lock(*s_mutex);
  s_never->wait(lock, [] { return false; });
}

aclrtStream stream_of_device_0() {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

TEST(MisuseExit, WithCopiesInFlight) {
  if (!is_child()) return expect_own_status();
  const size_t size = size_t{16} << 20;
  for (const aclrtStream stream : {stream_of_device_0(), aclrtStream{nullptr}}) {
    void *device = nullptr, *host = nullptr;
    EXPECT_OK(aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMallocHost(&host, size));
    for (int i = 0; i < 20; ++i) {
      EXPECT_OK(aclrtMemcpyAsync(device, size, host, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
      EXPECT_OK(aclrtMemcpyAsync(host, size, device, size, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    }
  }
  end();
}

TEST(MisuseExit, WithAWaitThatNeverEnds) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  end();
}

TEST(MisuseExit, WithAHostFunctionThatNeverEnds) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclrtLaunchHostFunc(stream_of_device_0(), block, nullptr));
  end();
}

TEST(MisuseExit, WithADeviceFunctionThatNeverEnds) {
  NEEDS_CPU_DEVICE("host functions cannot act as kernels on other devices");
  if (!is_child()) return expect_own_status();
  EXPECT_OK(ferryLaunchDeviceFunction(stream_of_device_0(), block, nullptr));
  end();
}

TEST(MisuseExit, WithACallbackThatNobodyServes) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  EXPECT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
  EXPECT_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream));
  end();
}

// Starts a thread that is inside a call when the process ends.
template <class Call>
void leave_a_thread_in(Call call) {
  // Never destroyed: its thread cannot be joined.
  auto* caller = new Caller(current_context(), call);
  caller->wait_until_asleep();
  EXPECT_FALSE(caller->has_returned());
}

TEST(MisuseExit, WhileAThreadSynchronisesAStream) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  EXPECT_OK(aclrtLaunchHostFunc(stream, block, nullptr));
  leave_a_thread_in([stream] { return aclrtSynchronizeStream(stream); });
  end();
}

TEST(MisuseExit, WhileAThreadSynchronisesTheDevice) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  EXPECT_OK(aclrtLaunchHostFunc(stream, block, nullptr));
  leave_a_thread_in([] { return aclrtSynchronizeDevice(); });
  end();
}

TEST(MisuseExit, WhileAThreadSynchronisesAnEvent) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEvent(&event));
  EXPECT_OK(aclrtLaunchHostFunc(stream, block, nullptr));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  leave_a_thread_in([event] { return aclrtSynchronizeEvent(event); });
  end();
}

TEST(MisuseExit, WhileAThreadWaitsForCallbacks) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclrtSetDevice(0));
  leave_a_thread_in([] { return aclrtProcessReport(-1); });
  end();
}

TEST(MisuseExit, WhileAThreadResetsTheDevice) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclrtLaunchHostFunc(stream_of_device_0(), block, nullptr));
  leave_a_thread_in([] { return aclrtResetDevice(0); });
  end();
}

TEST(MisuseExit, WhileThreadsMakeCalls) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclrtSetDevice(0));
  static std::atomic<int> s_started{0};
  for (int i = 0; i < 4; ++i) {
    std::thread([] {
      aclrtSetDevice(0);
      for (;;) {
        void* memory = nullptr;
        aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
        aclrtMemsetAsync(memory, 4096, 1, 4096, nullptr);
        aclrtSynchronizeStream(nullptr);
        aclrtFree(memory);
        ++s_started;
      }
    }).detach();
  }
  while (s_started < 100)
    std::this_thread::yield();
  end();
}

TEST(MisuseExit, WithoutCleaningUpAnything) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclInit(nullptr));
  stream_of_device_0();
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 0));
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  end();
}

TEST(MisuseExit, WithUnderscoreExitAndQuickExit) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclrtLaunchHostFunc(stream_of_device_0(), block, nullptr));
  std::at_quick_exit([] { _exit(kStatus); });
  std::quick_exit(1);
}

// ---- calls during process exit ----

aclrtStream g_stream = nullptr;
void* g_memory = nullptr;

void clean_up_late() {
  const aclError codes[] = {aclrtSynchronizeStream(g_stream), aclrtDestroyStream(g_stream),
                            aclrtFree(g_memory), aclrtResetDevice(0), aclFinalize()};
  for (const aclError code : codes) {
    if (code != ACL_SUCCESS) _exit(1);
  }
}

TEST(MisuseExit, WithCleaningUpInAtexit) {
  if (!is_child()) return expect_own_status();
  EXPECT_EQ(0, std::atexit(clean_up_late));  // runs after what the library registers later
  EXPECT_OK(aclInit(nullptr));
  g_stream = stream_of_device_0();
  EXPECT_OK(aclrtMalloc(&g_memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemsetAsync(g_memory, 4096, 1, 4096, g_stream));
  end();
}

struct CleansUpLate {
  bool is_armed = false;
  ~CleansUpLate() {
    if (is_armed) clean_up_late();
  }
};
CleansUpLate g_cleaner;  // destroyed after main, like a library's own global objects

TEST(MisuseExit, WithCleaningUpInAGlobalDestructor) {
  if (!is_child()) return expect_own_status();
  EXPECT_OK(aclInit(nullptr));
  g_stream = stream_of_device_0();
  EXPECT_OK(aclrtMalloc(&g_memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemsetAsync(g_memory, 4096, 1, 4096, g_stream));
  g_cleaner.is_armed = true;
  end();
}

TEST(MisuseExit, WithAFirstCallInAtexit) {
  if (!is_child()) return expect_own_status();
  std::atexit([] {
    if (aclrtSetDevice(0) != ACL_SUCCESS) _exit(1);
    void* memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) _exit(2);
    if (aclrtFree(memory) != ACL_SUCCESS) _exit(3);
  });
  end();
}

TEST(MisuseExit, FromAnotherThread) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  EXPECT_OK(aclrtLaunchHostFunc(stream, block, nullptr));
  std::thread([] { end(); }).detach();
  aclrtSynchronizeStream(stream);  // the main thread is blocked meanwhile
}

TEST(MisuseExit, FromAHostFunction) {
  if (!is_child()) return expect_own_status();
  const aclrtStream stream = stream_of_device_0();
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { end(); }, nullptr));
  aclrtSynchronizeStream(stream);
}

}  // namespace
}  // namespace conformance::misuse_exit_test
