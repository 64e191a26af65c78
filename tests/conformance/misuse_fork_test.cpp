// SPDX-License-Identifier: Apache-2.0
// What a child may do after fork: everything if its parent has not used the library, nothing that
// needs the runtime if it has, and always exit and exec.
#include "support/devices.h"

#include "ferry/ferry.h"

#include <sys/wait.h>

#include <cstdlib>
#include <functional>

namespace conformance::misuse_fork_test {
namespace {

// Limits of the sanitizers: the allocator of AddressSanitizer may stay locked forever in the child
// of a process with threads, and ThreadSanitizer allows the child no threads.
#if defined(__has_feature)
constexpr bool kIsAddressSanitized = __has_feature(address_sanitizer);
constexpr bool kIsThreadSanitized = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsAddressSanitized = true;
#else
constexpr bool kIsAddressSanitized = false;
#endif
#if defined(__SANITIZE_THREAD__)
constexpr bool kIsThreadSanitized = true;
#else
constexpr bool kIsThreadSanitized = false;
#endif
#endif

constexpr const char* kSkipped = "the sanitizer does not support this";

// Runs `body` in a forked child and returns its exit status, 128 + n for signal n. The status is 1
// when a check of the body failed.
int run_forked(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void expect_copies_work() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer device(4096);
    PinnedBuffer source(4096);
    source.fill(pattern(4096));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE,
                               nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(pattern(4096), device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(MisuseFork, AChildThatIsFirstToUseTheLibraryIsNormal) {
  EXPECT_EQ(0, run_forked([] {
              EXPECT_OK(aclInit(nullptr));
              expect_copies_work();
              EXPECT_OK(aclFinalize());
            }));
  // Neither the parent nor a second child is affected.
  EXPECT_EQ(0, run_forked(expect_copies_work));
  expect_copies_work();
}

struct World {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  void* device = nullptr;
  void* host = nullptr;
};

World make_world() {
  World world;
  EXPECT_OK(aclrtSetDevice(0));
  world.context = current_context();
  EXPECT_OK(aclrtCreateStream(&world.stream));
  EXPECT_OK(aclrtCreateEvent(&world.event));
  EXPECT_OK(aclrtRecordEvent(world.event, world.stream));
  EXPECT_OK(aclrtMalloc(&world.device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMallocHost(&world.host, 4096));
  EXPECT_OK(aclrtSynchronizeStream(world.stream));
  return world;
}

void nothing(void*) {}

void expect_memory_calls_are_refused(const World& world) {
  void* out = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtMallocHost(&out, 64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtFree(world.device));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtFreeHost(world.host));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR,
                    aclrtMemcpy(world.device, 64, world.host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_INTERNAL_ERROR,
      aclrtMemcpyAsync(world.device, 64, world.host, 64, ACL_MEMCPY_HOST_TO_DEVICE, world.stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtMemset(world.device, 64, 0, 64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR,
                    aclrtHostRegisterV2(world.host, 64, ACL_HOST_REG_PINNED));
  size_t free = 0, total = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
}

void expect_stream_calls_are_refused(const World& world) {
  void* out = nullptr;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtCreateStream(&out));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeStream(world.stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtStreamQuery(world.stream, &status));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtDestroyStream(world.stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtCreateEvent(&out));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtRecordEvent(world.event, world.stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeEvent(world.event));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtDestroyEvent(world.event));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR,
                    aclrtLaunchHostFunc(world.stream, nothing, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR,
                    ferryLaunchDeviceFunction(world.stream, nothing, nullptr));
}

void expect_device_calls_are_refused(const World& world) {
  void* out = nullptr;
  int32_t device = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtResetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtResetDeviceForce(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtGetDevice(&device));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeDevice());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtCreateContext(&out, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSetCurrentContext(world.context));
}

FERRY_PROCESS_TEST(MisuseFork, AChildOfAUserIsToldSo) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  const World world = make_world();
  EXPECT_EQ(0, run_forked([&] {
              expect_memory_calls_are_refused(world);
              expect_stream_calls_are_refused(world);
              expect_device_calls_are_refused(world);
              EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeDevice());
              EXPECT_NE(std::string::npos, recent_text().find("fork"));
            }));
  EXPECT_OK(aclrtSynchronizeDevice());
}

FERRY_PROCESS_TEST(MisuseFork, EveryThreadOfTheChildIsToldSo) {
  if (kIsAddressSanitized || kIsThreadSanitized) GTEST_SKIP() << kSkipped;
  make_world();
  EXPECT_EQ(
      0, run_forked([] {
        on_new_thread([] { EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSetDevice(0)); });
      }));
}

FERRY_PROCESS_TEST(MisuseFork, AChildOfAChildIsToldSo) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  make_world();
  EXPECT_EQ(0, run_forked([] {
              EXPECT_EQ(0, run_forked([] {
                          EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSetDevice(0));
                        }));
            }));
}

FERRY_PROCESS_TEST(MisuseFork, CallsThatNeedNoRuntimeWorkInTheChild) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  make_world();
  EXPECT_EQ(0, run_forked([] {
              int32_t major = 0, minor = 0, patch = 0;
              EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
              EXPECT_EQ(4u, aclDataTypeSize(ACL_FLOAT));
              EXPECT_EQ(nullptr, aclGetRecentErrMsg());
            }));
}

FERRY_PROCESS_TEST(MisuseFork, ExitInTheChildWaitsForNothing) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  const World world = make_world();
  Gate gate(world.stream);
  EXPECT_OK(aclrtMemsetAsync(world.device, 64, 1, 64, world.stream));
  EXPECT_EQ(42, run_forked([] { std::exit(42); }));
  EXPECT_EQ(43, run_forked([] { _exit(43); }));
  EXPECT_EQ(44, run_forked([] {
              aclrtResetDevice(0);
              aclFinalize();
              std::exit(44);
            }));
}

FERRY_PROCESS_TEST(MisuseFork, ExecInTheChildWorks) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  make_world();
  EXPECT_EQ(7, run_forked([] {
              execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
              _exit(127);
            }));
  // After exec the same program is a process like any other and may use the library.
  EXPECT_EQ(0, run_in_process("MisuseFork.AChildThatIsFirstToUseTheLibraryIsNormal", {}));
}

FERRY_PROCESS_TEST(MisuseFork, AChildMayForkWhileThreadsWork) {
  if (kIsAddressSanitized) GTEST_SKIP() << kSkipped;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<bool> is_over{false};
  std::thread worker([&] {
    while (!is_over)
      expect_copies_work();
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(0, run_forked([] {
                if (aclrtSetDevice(0) != ACL_ERROR_RT_INTERNAL_ERROR) _exit(2);
                if (aclGetRecentErrMsg() == nullptr) _exit(3);
                _exit(0);
              }));
  }
  is_over = true;
  worker.join();
}

FERRY_PROCESS_TEST(MisuseFork, AsksThatNeedNoDeviceCountAsNoUse) {
  int32_t major = 0, minor = 0, patch = 0;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(4u, aclDataTypeSize(ACL_FLOAT));
  EXPECT_EQ(0, run_forked(expect_copies_work));
}

}  // namespace
}  // namespace conformance::misuse_fork_test
