// SPDX-License-Identifier: Apache-2.0
// aclrtRegDeviceStateCallback: a function that is called before and after devices are set and
// reset.
#include "support/state_calls.h"

namespace conformance::aclrtRegDeviceStateCallback_test {
namespace {

using state_calls::NotedDevices;
using streams::kBadArgument;
using streams::kBadValue;

void ignore(int32_t /*device*/, aclrtDeviceState /*state*/, void* /*args*/) {}

std::vector<aclrtDeviceState> states_of(const NotedDevices& noted) {
  std::vector<aclrtDeviceState> states;
  for (const NotedDevices::Call& call : noted.calls) {
    EXPECT_EQ(0, call.object);
    EXPECT_EQ(std::this_thread::get_id(), call.thread);
    states.push_back(call.state);
  }
  return states;
}

TEST(AclrtRegDeviceStateCallback, TellsBeforeAndAfter) {
  const NotedDevices noted("devices");
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_STATE_SET_PRE, ACL_RT_DEVICE_STATE_SET_POST}),
            states_of(noted));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_STATE_SET_PRE, ACL_RT_DEVICE_STATE_SET_POST,
                         ACL_RT_DEVICE_STATE_RESET_PRE, ACL_RT_DEVICE_STATE_RESET_POST}),
            states_of(noted));
}

TEST(AclrtRegDeviceStateCallback, TellsOfAResetByForce) {
  ASSERT_OK(aclrtSetDevice(0));
  const NotedDevices noted("devices");
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_STATE_RESET_PRE, ACL_RT_DEVICE_STATE_RESET_POST}),
            states_of(noted));
}

// The state is that of the moment: no context before the set, none after the reset.
TEST(AclrtRegDeviceStateCallback, IsCalledAtTheRightMoment) {
  std::vector<bool> had_context;
  const auto look = [](int32_t /*device*/, aclrtDeviceState /*state*/, void* results) {
    aclrtContext context = nullptr;
    static_cast<std::vector<bool>*>(results)->push_back(aclrtGetCurrentContext(&context) ==
                                                        ACL_SUCCESS);
  };
  EXPECT_OK(aclrtRegDeviceStateCallback("looking", look, &had_context));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtRegDeviceStateCallback("looking", nullptr, nullptr));
  EXPECT_EQ((std::vector{false, true, true, false}), had_context);
  clear_errors();
}

TEST(AclrtRegDeviceStateCallback, SaysNothingAboutDevicesThatDoNotExist) {
  const NotedDevices noted("devices");
  EXPECT_FAILS(107001, "EE1003", aclrtSetDevice(-1));
  EXPECT_FAILS(107001, "EE1003", aclrtResetDevice(4096));
  EXPECT_TRUE(noted.calls.empty());
}

TEST(AclrtRegDeviceStateCallback, DoesNotTellTheEndOfWhatFails) {
  const NotedDevices noted("devices");
  EXPECT_FAILS(507007, "EE1018", aclrtResetDevice(0));
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_STATE_RESET_PRE}), states_of(noted));
}

TEST(AclrtRegDeviceStateCallback, RefusesANameInUse) {
  NotedDevices noted("devices");
  EXPECT_FAILS(kBadValue, "EE1017", aclrtRegDeviceStateCallback("devices", ignore, nullptr));
  noted.remove();
  EXPECT_OK(aclrtRegDeviceStateCallback("devices", ignore, nullptr));
}

TEST(AclrtRegDeviceStateCallback, NeedsAName) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRegDeviceStateCallback(nullptr, ignore, nullptr));
  EXPECT_OK(aclrtRegDeviceStateCallback("nobody", nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtRegDeviceStateCallback_test
