// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotProcessLock: which calls wait while the process is locked, and what it waits for.
#include "support/at_once.h"
#include "support/snapshots.h"
#include "support/streams.h"

#include <sys/wait.h>

#include <cstring>
#include <functional>

namespace conformance::snapshots::aclrtSnapShotProcessLock_test {
namespace {

using AclrtSnapShotProcessLock = WithSnapshot;

TEST_F(AclrtSnapShotProcessLock, TakesItsOwnProcessAndNothingElse) {
  expect_own_process_only(
      [](int pid, void* reserved) {
        return aclrtSnapShotProcessLock(pid, static_cast<void*>(reserved));
      },
      "aclrtSnapShotProcessLock");
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessLockProduct, IsNotSupportedByEarlierProducts,
                   "FERRY_SOC=Ascend310P3") {
  EXPECT_FAILS(100000, "EH0007", aclrtSnapShotProcessLock(0, nullptr));
  EXPECT_FAILS(207000, "WE0001", aclrtSnapShotProcessLock(getpid(), nullptr));
}

TEST_F(AclrtSnapShotProcessLock, IsRefusedInTheWrongStateAndCallsNoCallback) {
  const Noters noters;
  for (const State state : kStates) {
    bring_into(state);
    const bool is_allowed = state == State::kRunning;
    if (!is_allowed) {
      calls.clear();
      EXPECT_FAILS(507906, "EE1018", aclrtSnapShotProcessLock(getpid(), nullptr));
      EXPECT_TRUE(calls.empty());
    }
    if (state != State::kRunning) {
      EXPECT_OK(unlock());
    }
  }
}

// A call that waits for the process to go on: it must not return before it was unlocked.
struct HeldCall {
  const char* name;
  std::function<aclError()> call;
};

class HeldCalls : public WithSnapshot {
 protected:
  // Locks the process, starts a thread per call, unlocks. Every call must see the unlocked process.
  void expect_held(const std::vector<HeldCall>& held) {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    std::atomic<bool> is_unlocked{false};
    std::atomic<size_t> started{0};
    Latch all_started;
    ASSERT_OK(lock());
    std::vector<std::thread> threads;
    for (const HeldCall& each : held) {
      threads.emplace_back([&] {
        EXPECT_OK(aclrtSetCurrentContext(context));
        if (++started == held.size()) all_started.open();
        EXPECT_OK(each.call()) << each.name;
        EXPECT_TRUE(is_unlocked) << each.name;
      });
    }
    all_started.wait();
    EXPECT_OK(back_up());
    EXPECT_OK(restore());
    is_unlocked = true;
    EXPECT_OK(unlock());
    for (std::thread& thread : threads)
      thread.join();
    EXPECT_OK(aclrtSynchronizeDevice());
  }
};

using AclrtSnapShotProcessLockHolds = HeldCalls;

TEST_F(AclrtSnapShotProcessLockHolds, Allocations) {
  void* device = nullptr;
  void* host = nullptr;
  aclrtMbuf buffer = nullptr;
  expect_held({{"aclrtMalloc", [&] { return aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST); }},
               {"aclrtMallocHost", [&] { return aclrtMallocHost(&host, 64); }},
               {"aclrtAllocBuf", [&] { return aclrtAllocBuf(&buffer, 64); }}});
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtFreeHost(host));
  EXPECT_OK(aclrtFreeBuf(buffer));
}

TEST_F(AclrtSnapShotProcessLockHolds, Copies) {
  const DeviceBuffer a(64);
  const DeviceBuffer b(64);
  const DeviceBuffer c(64);
  const PinnedBuffer host(64);
  expect_held(
      {{"aclrtMemcpy",
        [&] { return aclrtMemcpy(a.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE); }},
       {"aclrtMemcpyAsync",
        [&] {
          return aclrtMemcpyAsync(b.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_);
        }},
       {"aclrtMemset", [&] { return aclrtMemset(c.get(), 64, 1, 64); }}});
}

TEST_F(AclrtSnapShotProcessLockHolds, CreationsAndSubmissions) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtEvent recorded = nullptr;
  aclrtNotify notify = nullptr;
  ASSERT_OK(aclrtCreateEvent(&recorded));
  expect_held({{"aclrtCreateStream", [&] { return aclrtCreateStream(&stream); }},
               {"aclrtCreateEvent", [&] { return aclrtCreateEvent(&event); }},
               {"aclrtCreateNotify", [&] { return aclrtCreateNotify(&notify, 0); }},
               {"aclrtSetDevice", [] { return aclrtSetDevice(0); }},
               {"aclrtRecordEvent", [&] { return aclrtRecordEvent(recorded, stream_); }},
               {"aclrtLaunchHostFunc", [&] {
                  return aclrtLaunchHostFunc(
                      stream_, [](void*) {}, nullptr);
                }}});
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyEvent(recorded));
  EXPECT_OK(aclrtDestroyNotify(notify));
  EXPECT_OK(aclrtResetDevice(0));  // undoes the other thread's aclrtSetDevice
}

TEST_F(AclrtSnapShotProcessLock, LetsOtherThreadsSynchroniseQueryAndFree) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(lock());
  on_new_thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    aclrtStreamStatus status{};
    EXPECT_OK(aclrtStreamQuery(stream_, &status));
    size_t size = 0;
    aclrtGetMemcpyDescSize(ACL_MEMCPY_HOST_TO_DEVICE, &size);
    clear_errors();
    EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(unlock());  // any thread may let the process go on
  });
}

TEST_F(AclrtSnapShotProcessLock, DoesNotHoldTheThreadThatLocked) {
  ASSERT_OK(lock());
  {
    DeviceBuffer buffer(64);
    buffer.write(pattern(64));
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessLock, WaitsForQueuedWork) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no order";
  DeviceBuffer to(64);
  const PinnedBuffer from(64);
  std::memset(from.get(), 7, 64);
  EXPECT_OK(aclrtMemcpyAsync(to.get(), 64, from.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  ASSERT_OK(lock());
  aclrtStreamStatus status{};
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_OK(unlock());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSnapShotProcessLock, GivesUpOnWorkThatDoesNotEnd) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no order";
  ferrySetSnapshotLimit(20);
  {
    Gate gate(stream_);
    EXPECT_FAILS_WITH(507905, aclrtSnapShotProcessLock(getpid(), nullptr));
    // The process goes on.
    on_new_thread([] {
      EXPECT_OK(aclrtSetDevice(0));
      const DeviceBuffer buffer(64);
    });
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_FAILS_WITH(507907, aclrtSnapShotProcessUnlock(getpid(), nullptr));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  ferrySetSnapshotLimit(10000);
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessLock, GivesUpOnACallThatDoesNotEnd) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no order";
  ASSERT_OK(lock());  // the layer counts calls from now on
  ASSERT_OK(unlock());
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  DeviceBuffer to(64);
  std::vector<uint8_t> pageable(64);
  std::thread inside;
  {
    Gate gate(stream_);
    inside = std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      // Waits for the stream, and with it for the gate.
      EXPECT_OK(
          aclrtMemcpyAsync(to.get(), 64, pageable.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    });
    ferrySetSnapshotLimit(20);
    EXPECT_FAILS_WITH(507905, aclrtSnapShotProcessLock(getpid(), nullptr));
  }
  inside.join();
  ferrySetSnapshotLimit(10000);
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessLock, LeavesKeptFailuresAndTheLastErrorAlone) {
  if (!devices_are_real()) GTEST_SKIP() << "the device never fails";
  streams::BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  clear_errors();
  EXPECT_OK(lock());
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_OK(unlock());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), 507001);
  clear_errors();
}

// Copies of many threads while the process is locked again and again: with ThreadSanitizer, a call
// that slips through the gate is a race with the counter below.
TEST_F(AclrtSnapShotProcessLock, HoldsEveryThreadWhileItIsLocked) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      DeviceBuffer buffer(256);
      PinnedBuffer host(256);
      while (!is_over) {
        EXPECT_OK(aclrtMemcpy(buffer.get(), 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE));
        EXPECT_OK(aclrtMemcpyAsync(buffer.get(), 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE,
                                   nullptr));
        EXPECT_OK(aclrtSynchronizeStream(nullptr));
      }
    });
  }
  for (int round = 0; round < 20; ++round) {
    EXPECT_OK(lock());
    // Nothing runs: a second look at any stream finds it idle, and it stays so.
    aclrtStreamStatus status{};
    EXPECT_OK(aclrtStreamQuery(nullptr, &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
    EXPECT_OK(back_up());
    EXPECT_OK(restore());
    EXPECT_OK(unlock());
  }
  is_over = true;
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(AclrtSnapShotProcessLock, SucceedsForOneOfManyThreads) {
  std::atomic<int> locked{0};
  at_once(6, [&](size_t) {
    const aclError code = lock();
    EXPECT_TRUE(code == ACL_SUCCESS || code == 507906) << code;
    if (code == ACL_SUCCESS) ++locked;
  });
  EXPECT_EQ(locked, 1);
  EXPECT_OK(unlock());
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessLockFork, AChildIsNotHeld) {
  ASSERT_OK(aclrtSetDevice(0));
  on_new_thread([] { ASSERT_OK(lock()); });
  const pid_t child = fork();
  if (child == 0) {
    aclrtStream stream = nullptr;
    _exit(aclrtCreateStream(&stream) == 507000 ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_OK(unlock());
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessLockLayers, WorksBelowInjectedFailures) {
  ASSERT_OK(lock());
  EXPECT_OK(ferryFailCall("aclrtMalloc", 1, 207001));
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_OK(ferryResetCallCounts());
  EXPECT_OK(unlock());
  EXPECT_EQ(ferryCallCount("aclrtSnapShotProcessUnlock"), 1U);
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessLockLayers, WorksAboveInjectedFailures) {
  EXPECT_OK(ferryFailCall("aclrtMalloc", 1, 207001));
  ASSERT_OK(lock());
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_OK(ferryFailCall("aclrtMallocHost", 1, 207001));
  EXPECT_EQ(aclrtMallocHost(&memory, 64), 207001);
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotProcessLock_test
