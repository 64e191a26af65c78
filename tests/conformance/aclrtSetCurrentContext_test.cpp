// SPDX-License-Identifier: Apache-2.0
// aclrtSetCurrentContext: sets the context of a thread.
#include "support/devices.h"

namespace conformance::aclrtSetCurrentContext_test {
namespace {

using AclrtSetCurrentContext = WithDevice;

TEST_F(AclrtSetCurrentContext, SwitchesBackAndForth) {
  const aclrtContext mine = current_context();
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclrtSetCurrentContext(mine));
    EXPECT_EQ(mine, current_context());
    EXPECT_OK(aclrtSetCurrentContext(other));
    EXPECT_EQ(other, current_context());
  }
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclrtSetCurrentContext, LetsManyThreadsShareAContext) {
  const aclrtContext mine = current_context();
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  on_threads(4, [&] {
    ASSERT_OK(aclrtSetCurrentContext(mine));
    DeviceBuffer device(64);
    EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 7, 64, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(std::vector<uint8_t>(64, 7), device.read());
  });
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtSetCurrentContext, HoldsForTheCallingThreadOnly) {
  const aclrtContext mine = current_context();
  aclrtContext other = nullptr;
  on_new_thread([&] { ASSERT_OK(aclrtCreateContext(&other, 0)); });
  EXPECT_EQ(mine, current_context());
  EXPECT_OK(aclrtDestroyContext(other));
}

TEST_F(AclrtSetCurrentContext, RefusesNullAndKeepsTheContext) {
  const aclrtContext mine = current_context();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtSetCurrentContext(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_EQ(mine, current_context());
}

TEST_F(AclrtSetCurrentContext, RefusesADestroyedContext) {
  const aclrtContext mine = current_context();
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  EXPECT_OK(aclrtDestroyContext(other));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  clear_errors();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(other));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  EXPECT_EQ(mine, current_context());
}

TEST_F(AclrtSetCurrentContext, RefusesWhatIsNoContext) {
  const aclrtContext mine = current_context();
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_OK(aclrtCreateEvent(&event));
  DeviceBuffer memory(64);
  int variable = 0;
  for (void* handle : {stream, event, memory.get(), static_cast<void*>(&variable),
                       reinterpret_cast<void*>(1), reinterpret_cast<void*>(~uintptr_t{0})}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(handle));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
    EXPECT_EQ(mine, current_context());
  }
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(stream));
}

}  // namespace
}  // namespace conformance::aclrtSetCurrentContext_test
