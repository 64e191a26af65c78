// SPDX-License-Identifier: Apache-2.0
// aclrtResetDeviceForce: releases a device at once.
#include "support/devices.h"

namespace conformance::aclrtResetDeviceForce_test {
namespace {

TEST(AclrtResetDeviceForce, EndsItHoweverOftenTheDeviceWasSet) {
  for (int i = 0; i < 5; ++i)
    ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_EQ(nullptr, current_context());
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDeviceForce(0));
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, last_error());
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  clear_errors();
}

TEST(AclrtResetDeviceForce, LetsTheDeviceBeSetAgain) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDeviceForce(0));
  ASSERT_OK(aclrtSetDevice(0));
  { DeviceBuffer buffer(64); }
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(AclrtResetDeviceForce, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtResetDeviceForce(device));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error()) << device;
  }
  clear_errors();
}

TEST(AclrtResetDeviceForce, ThrowsAwayWorkThatHasNotBegun) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(memory, 64, 1, 64));
  // The event is never recorded: without force this would wait forever.
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
  EXPECT_OK(aclrtMemsetAsync(memory, 64, 2, 64, nullptr));
  EXPECT_OK(aclrtResetDeviceForce(0));
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<uint8_t> bytes(64);
  EXPECT_OK(aclrtMemcpy(bytes.data(), 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(std::vector<uint8_t>(64, 1), bytes);
  EXPECT_OK(aclrtFree(memory));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtResetDevice(0));
}

// The waiting thread may come too late and find its context gone; then the test tries again.
TEST(AclrtResetDeviceForce, WakesThoseWhoWait) {
  bool has_woken = false;
  for (int attempt = 0; attempt < 100 && !has_woken; ++attempt) {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtEvent event = nullptr;
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    Caller waiter(current_context(), [&] { return aclrtSynchronizeStream(stream); });
    waiter.wait_until_asleep();
    EXPECT_OK(aclrtResetDeviceForce(0));
    const aclError code = waiter.join();
    has_woken = code == ACL_ERROR_RT_STREAM_ABORT;
    EXPECT_TRUE(has_woken || code == ACL_ERROR_RT_INVALID_HANDLE ||
                code == ACL_ERROR_RT_CONTEXT_NULL)
        << code << ": " << waiter.text();
    EXPECT_OK(aclrtDestroyEvent(event));
  }
  EXPECT_TRUE(has_woken);
  clear_errors();
}

TEST(AclrtResetDeviceForce, LeavesExplicitContextsAlone) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_EQ(context, current_context());
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(AclrtResetDeviceForce, IsDoneByOneOfManyThreads) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(aclrtSetDevice(0));
    std::atomic<int> successes{0};
    on_threads(4, [&] {
      const aclError code = aclrtResetDeviceForce(0);
      if (code == ACL_SUCCESS) ++successes;
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR) << code;
    });
    EXPECT_EQ(1, successes);
  }
}

}  // namespace
}  // namespace conformance::aclrtResetDeviceForce_test
