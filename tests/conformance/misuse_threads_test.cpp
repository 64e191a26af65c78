// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: many threads at once, aclFinalize in the middle of work, and
// threads that end with a context.
#include "support/devices.h"

#include <pthread.h>

#include <random>

namespace conformance::misuse_threads_test {
namespace {

// Objects that all threads know, live or destroyed.
struct Shared {
  std::vector<void*> handles;
  std::mutex mutex;  // guards `handles`

  void add(void* handle) {
    const std::lock_guard lock(mutex);
    handles.push_back(handle);
  }
  void* pick(std::minstd_rand& random) {
    const std::lock_guard lock(mutex);
    if (handles.empty()) return nullptr;
    return handles[random() % handles.size()];
  }
};

// One random call with a handle of any kind and in any state. It must not hang: every wait has a
// time limit, and all queued work can run.
void misuse(Shared& shared, std::minstd_rand& random) {
  void* handle = shared.pick(random);
  void* made = nullptr;
  switch (random() % 14) {
    case 0:
      if (aclrtCreateStream(&made) == ACL_SUCCESS) shared.add(made);
      break;
    case 1:
      if (aclrtCreateEvent(&made) == ACL_SUCCESS) shared.add(made);
      break;
    case 2:
      if (aclrtMalloc(&made, 256, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) shared.add(made);
      break;
    case 3:
      aclrtDestroyStreamForce(handle);
      break;
    case 4:
      aclrtDestroyEvent(handle);
      break;
    case 5:
      aclrtFree(handle);
      break;
    case 6:
      aclrtSynchronizeStreamWithTimeout(handle, 1);
      break;
    case 7:
      aclrtRecordEvent(shared.pick(random), handle);
      break;
    case 8:
      aclrtStreamWaitEventWithTimeout(handle, shared.pick(random), 1);
      break;
    case 9:
      aclrtMemsetAsync(shared.pick(random), 256, 1, 256, handle);
      break;
    case 10:
      aclrtStreamAbort(handle);
      break;
    case 11: {
      aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
      aclrtStreamQuery(handle, &status);
      break;
    }
    case 12:
      aclrtSynchronizeEventWithTimeout(handle, 1);
      break;
    default:
      aclrtMemcpyAsync(shared.pick(random), 256, shared.pick(random), 256, ACL_MEMCPY_DEFAULT,
                       handle);
      break;
  }
}

// In its own process: the calls free each other's objects and leave many behind.
FERRY_PROCESS_TEST(MisuseThreads, SurviveWildCallsAtOnce, "FERRY_MEMORY=64M",
                   "TSAN_OPTIONS=suppressions=" CONFORMANCE_FOLDER
                   "/support/wild_calls.supp:atexit_sleep_ms=0") {
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  Shared shared;
  on_threads(6, [&shared, context](int i) {
    ASSERT_OK(aclrtSetCurrentContext(context));
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int call = 0; call < 1500; ++call)
      misuse(shared, random);
  });
  EXPECT_OK(aclrtResetDeviceForce(0));
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_EQ(pattern(64), device.read());
}

void copy_for_a_while(const std::atomic<bool>& is_over) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer device(4096);
    PinnedBuffer source(4096), sink(4096);
    for (uint8_t round = 0; !is_over; ++round) {
      source.fill(pattern(4096, round));
      ASSERT_OK(aclrtMemcpyAsync(device.get(), 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE,
                                 nullptr));
      ASSERT_OK(aclrtMemcpyAsync(sink.get(), 4096, device.get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST,
                                 nullptr));
      ASSERT_OK(aclrtSynchronizeStream(nullptr));
      ASSERT_EQ(pattern(4096, round), sink.copy());
    }
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(MisuseThreads, WorkWhileOthersInitialiseAndFinalise) {
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { copy_for_a_while(is_over); });
  for (int round = 0; round < 200; ++round) {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclFinalize());
  }
  is_over = true;
  for (std::thread& thread : threads)
    thread.join();
}

FERRY_PROCESS_TEST(MisuseThreads, BlockedThreadsAreServedAfterAclFinalize) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  Gate gate(nullptr);
  Caller waiter(current_context(), [] { return aclrtSynchronizeStream(nullptr); });
  waiter.wait_until_asleep();
  EXPECT_OK(aclFinalize());
  EXPECT_FALSE(waiter.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, waiter.join());
}

TEST(MisuseThreadEnds, LeaveTheContextToTheOthers) {
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  for (int i = 0; i < 50; ++i) {
    on_new_thread([&] {
      ASSERT_OK(aclrtSetCurrentContext(context));
      EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT));
    });
  }
  EXPECT_EQ(context, current_context());
  { DeviceBuffer device(64); }
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(MisuseThreadEnds, KeepADeviceThatWasSet) {
  on_new_thread([] { ASSERT_OK(aclrtSetDevice(0)); });
  // The thread has ended, but its aclrtSetDevice still counts.
  int32_t active = 0;
  EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &active));
  EXPECT_EQ(1, active);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(0));
  clear_errors();
}

TEST(MisuseThreadEnds, KeepWorkThatWasQueued) {
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  {
    DeviceBuffer device(4096);
    on_new_thread([&] {
      ASSERT_OK(aclrtSetCurrentContext(context));
      EXPECT_OK(aclrtMemsetAsync(device.get(), 4096, 7, 4096, nullptr));
    });
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(std::vector<uint8_t>(4096, 7), device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

void* end_with_pthread_exit(void*) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtSetDevice(-1);  // leaves a text and a last error
  pthread_exit(nullptr);
}

TEST(MisuseThreadEnds, SurvivePthreadExit) {
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    ASSERT_EQ(0, pthread_create(&thread, nullptr, end_with_pthread_exit, nullptr));
    ASSERT_EQ(0, pthread_join(thread, nullptr));
    EXPECT_OK(aclrtResetDevice(0));
  }
}

// Calls the library while the thread's variables are destroyed, before or after the library's own.
struct CallsAtTheEnd {
  ~CallsAtTheEnd() {
    aclrtGetDeviceCount(nullptr);
    aclGetRecentErrMsg();
    aclrtSynchronizeDevice();
    aclrtContext context = nullptr;
    aclrtGetCurrentContext(&context);
  }
};

TEST(MisuseThreadEnds, SurviveCallsOfDestructors) {
  for (int i = 0; i < 10; ++i) {
    on_new_thread([] {
      thread_local CallsAtTheEnd made_before_the_first_call;
      static_cast<void>(&made_before_the_first_call);
      aclrtSetDevice(-1);
    });
    on_new_thread([] {
      aclrtSetDevice(-1);
      thread_local CallsAtTheEnd made_after_the_first_call;
      static_cast<void>(&made_after_the_first_call);
    });
  }
}

}  // namespace
}  // namespace conformance::misuse_threads_test
