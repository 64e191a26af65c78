// SPDX-License-Identifier: Apache-2.0
// ferrySetWaitFunctions: a thread that waits releases what the functions of its stream need.
#include "support/devices.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <mutex>

namespace conformance::ferry_wait_functions_test {
namespace {

// Stands for the lock of an interpreter: one thread holds it, and knows that it does.
std::mutex interpreter;
thread_local bool holds_interpreter = false;
std::atomic<int> begun{0};
std::atomic<int> ended{0};

void acquire() {
  interpreter.lock();
  holds_interpreter = true;
}

void release() {
  holds_interpreter = false;
  interpreter.unlock();
}

void* begin_wait() {
  ++begun;
  if (!holds_interpreter) return nullptr;
  release();
  return &interpreter;
}

void end_wait(void* token) {
  ++ended;
  if (token != nullptr) acquire();
}

void use_interpreter(void* calls) {
  acquire();
  ++*static_cast<std::atomic<int>*>(calls);
  release();
}

class FerrySetWaitFunctions : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    begun = 0;
    ended = 0;
    EXPECT_OK(ferrySetWaitFunctions(begin_wait, end_wait));
    acquire();
  }
  void TearDown() override {
    release();
    EXPECT_OK(ferrySetWaitFunctions(nullptr, nullptr));
    WithStream::TearDown();
  }
};

TEST_F(FerrySetWaitFunctions, LetAFunctionOfTheStreamRunWhileAThreadWaitsForIt) {
  NEEDS_CPU_DEVICE("their functions run on threads");
  std::atomic<int> calls{0};
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, use_interpreter, &calls));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
  EXPECT_TRUE(holds_interpreter);
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, use_interpreter, &calls));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(2, calls);
  EXPECT_LE(2, begun);
  EXPECT_EQ(begun, ended);
}

TEST_F(FerrySetWaitFunctions, AreCalledByWaitsForEvents) {
  NEEDS_CPU_DEVICE("their functions run on threads");
  std::atomic<int> calls{0};
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, use_interpreter, &calls));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_EQ(1, calls);
  EXPECT_EQ(begun, ended);
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(FerrySetWaitFunctions, AreCalledByCopiesThatWait) {
  NEEDS_CPU_DEVICE("their functions run on threads");
  std::atomic<int> calls{0};
  DeviceBuffer device(64);
  std::vector<uint8_t> pageable(64);
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, use_interpreter, &calls));
  EXPECT_OK(
      aclrtMemcpyAsync(pageable.data(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
  EXPECT_EQ(begun, ended);
}

TEST_F(FerrySetWaitFunctions, AreNotCalledOnceTheyAreRemoved) {
  EXPECT_OK(ferrySetWaitFunctions(nullptr, nullptr));
  DeviceBuffer device(64);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 1, 64, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0, begun);
}

TEST_F(FerrySetWaitFunctions, ComeInPairs) {
  EXPECT_FAILS(100000, "EH0008", ferrySetWaitFunctions(begin_wait, nullptr));
  EXPECT_FAILS(100000, "EH0008", ferrySetWaitFunctions(nullptr, end_wait));
}

}  // namespace
}  // namespace conformance::ferry_wait_functions_test
