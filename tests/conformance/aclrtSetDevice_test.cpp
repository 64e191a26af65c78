// SPDX-License-Identifier: Apache-2.0
// aclrtSetDevice: sets the device of a thread. How often it must be undone is tested with
// aclrtResetDevice.
#include "support/devices.h"

#include "ferry/ferry.h"

namespace conformance::aclrtSetDevice_test {
namespace {

using AclrtSetDevice = WithDevice;

TEST_F(AclrtSetDevice, GivesTheThreadADeviceAndAContext) {
  on_new_thread([] {
    int32_t device = -1;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetDevice(&device));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetDevice(&device));
    EXPECT_EQ(0, device);
    EXPECT_NE(nullptr, current_context());
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(AclrtSetDevice, GivesAllThreadsTheSameContext) {
  const aclrtContext mine = current_context();
  on_new_thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(mine, current_context());
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(AclrtSetDevice, GivesNothingToOtherThreads) {
  on_new_thread([] { EXPECT_EQ(nullptr, current_context()); });
}

TEST_F(AclrtSetDevice, ReplacesAnExplicitContext) {
  const aclrtContext primary = current_context();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_EQ(context, current_context());
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(primary, current_context());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST_F(AclrtSetDevice, RefusesNumbersWithoutADeviceAndKeepsTheContext) {
  const aclrtContext before = current_context();
  for (const int32_t device : missing_devices()) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "EE1003", aclrtSetDevice(device));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error()) << device;
    EXPECT_EQ(before, current_context()) << device;
  }
}

TEST_F(AclrtSetDevice, TellsTheNumberAndWhatIsAllowed) {
  aclrtSetDevice(4711);
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("4711")) << text;
  EXPECT_NE(std::string::npos, text.find("allowed is 0")) << text;
}

TEST(AclrtSetDeviceAlone, WorksOnManyThreadsAtOnce) {
  on_threads(8, [] {
    for (int round = 0; round < 50; ++round) {
      ASSERT_OK(aclrtSetDevice(0));
      int32_t device = -1;
      EXPECT_OK(aclrtGetDevice(&device));
      EXPECT_EQ(0, device);
      EXPECT_OK(aclrtResetDevice(0));
    }
  });
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018", aclrtResetDevice(0));
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtSetDeviceProcess, SwitchesBetweenDevices, "FERRY_DEVICES=cpu:3") {
  aclrtContext contexts[3] = {};
  for (int32_t device = 0; device < 3; ++device) {
    int32_t answer = -1;
    ASSERT_OK(aclrtSetDevice(device));
    EXPECT_OK(aclrtGetDevice(&answer));
    EXPECT_EQ(device, answer);
    contexts[device] = current_context();
  }
  EXPECT_NE(contexts[0], contexts[1]);
  EXPECT_NE(contexts[1], contexts[2]);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(contexts[0], current_context());
}

FERRY_PROCESS_TEST(AclrtSetDeviceProcess, KeepsTheDeviceOfEachThread, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  on_new_thread([] {
    EXPECT_OK(aclrtSetDevice(1));
    DeviceBuffer buffer(64);
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(buffer.get(), &attributes));
    EXPECT_EQ(1u, attributes.location.id);
  });
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(0, device);
}

FERRY_PROCESS_TEST(AclrtSetDeviceProcess, TellsWhenADeviceCannotBeOpened, "FERRY_DEVICES=null") {
  EXPECT_OK(ferryNullFail("device_open", 1, ACL_ERROR_RT_DEV_SETUP_ERROR));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));
  EXPECT_EQ(nullptr, current_context());
  // The failure does not persist: the next call opens the device.
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtSetDevice_test
