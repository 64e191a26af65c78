// SPDX-License-Identifier: Apache-2.0
// aclrtResetDevice: undoes aclrtSetDevice. The tests set the device themselves, so that they know
// which call is the last.
#include "support/devices.h"

namespace conformance::aclrtResetDevice_test {
namespace {

TEST(AclrtResetDevice, TakesBackAsManyAsWereSet) {
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(context, current_context());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(nullptr, current_context());
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, last_error());
  clear_errors();
}

TEST(AclrtResetDevice, KeepsStreamsUntilTheLast) {
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(AclrtResetDevice, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtResetDevice(device));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error()) << device;
  }
  clear_errors();
}

TEST(AclrtResetDevice, RefusesADeviceThatWasNeverSet) {
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  clear_errors();
}

TEST(AclrtResetDevice, DoesNotCountExplicitContexts) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  EXPECT_EQ(context, current_context());
  EXPECT_OK(aclrtDestroyContext(context));
  clear_errors();
}

TEST(AclrtResetDevice, LeavesExplicitContextsAlone) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(context, current_context());
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(AclrtResetDevice, WorksFromAnyThread) {
  ASSERT_OK(aclrtSetDevice(0));
  on_new_thread([] { EXPECT_OK(aclrtResetDevice(0)); });
  EXPECT_EQ(nullptr, current_context());
  int32_t device = -1;
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetDevice(&device));
  clear_errors();
}

TEST(AclrtResetDevice, EndsTheContextForGood) {
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext old = current_context();
  EXPECT_OK(aclrtResetDevice(0));
  on_new_thread([] { EXPECT_OK(aclrtSetDevice(0)); });
  // The device has a default context again, but not the one this thread had.
  EXPECT_EQ(nullptr, current_context());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(old));
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

TEST(AclrtResetDevice, KeepsDeviceMemory) {
  ASSERT_OK(aclrtSetDevice(0));
  const std::vector<uint8_t> sent = pattern(4096);
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, sent.size(), ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemcpy(memory, 4096, sent.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<uint8_t> received(sent.size());
  EXPECT_OK(aclrtMemcpy(received.data(), 4096, memory, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(sent, received);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtFree(memory));
}

TEST(AclrtResetDevice, WaitsForTheWorkWhenItIsTheLast) {
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<uint8_t> received;
  {
    DeviceBuffer device(4096);
    PinnedBuffer source(4096), sink(4096);
    source.fill(pattern(4096));
    Gate gate(nullptr);
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE,
                               nullptr));
    EXPECT_OK(
        aclrtMemcpyAsync(sink.get(), 4096, device.get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
    Caller reset(nullptr, [] { return aclrtResetDevice(0); });
    EXPECT_FALSE(reset.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, reset.join());
    received = sink.copy();
  }
  EXPECT_EQ(pattern(4096), received);
}

TEST(AclrtResetDevice, DoesNotWaitWhenItIsNotTheLast) {
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  {
    Gate gate(nullptr);
    EXPECT_OK(aclrtResetDevice(0));  // would hang if it waited
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtResetDeviceProcess, CountsEachDeviceByItself, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  EXPECT_NE(nullptr, current_context());
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(1));
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(0, device);
}

}  // namespace
}  // namespace conformance::aclrtResetDevice_test
