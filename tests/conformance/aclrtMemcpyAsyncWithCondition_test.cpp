// SPDX-License-Identifier: Apache-2.0
// What only aclrtMemcpyAsyncWithCondition needs. It does what aclrtMemcpyAsync does: every test of
// the aclrtMemcpyAsync files runs for it too.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpyAsyncWithCondition_test {
namespace {

using AclrtMemcpyAsyncWithCondition = WithStream;

TEST_F(AclrtMemcpyAsyncWithCondition, QueuesACopyOfPinnedMemory) {
  PinnedBuffer pinned(64);
  DeviceBuffer device(64);
  pinned.fill(pattern(64, 1));
  device.write(pattern(64, 2));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithCondition(device.get(), 64, pinned.get(), 64,
                                          ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(pattern(64, 2), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64, 1), device.read());
}

TEST_F(AclrtMemcpyAsyncWithCondition, NoConditionMakesPageableMemoryFail) {
  const DeviceBuffer device(64);
  const std::vector<uint8_t> sent = pattern(64);
  std::vector<uint8_t> received(64);
  EXPECT_OK(aclrtMemcpyAsyncWithCondition(device.get(), 64, sent.data(), 64,
                                          ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyAsyncWithCondition(received.data(), 64, device.get(), 64,
                                          ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_EQ(sent, received);
}

TEST_F(AclrtMemcpyAsyncWithCondition, ItsTextsBearItsOwnName) {
  const DeviceBuffer device(64);
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM, "EH0008",
      aclrtMemcpyAsyncWithCondition(nullptr, 64, device.get(), 64, ACL_MEMCPY_DEFAULT, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtMemcpyAsyncWithCondition(device.at(32), 31, device.get(), 32,
                                             ACL_MEMCPY_DEFAULT, stream_));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsyncWithCondition_test
