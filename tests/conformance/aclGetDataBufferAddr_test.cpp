// SPDX-License-Identifier: Apache-2.0
// aclGetDataBufferAddr: the address in a data buffer.
#include "support/at_once.h"
#include "support/conformance.h"

namespace conformance::aclGetDataBufferAddr_test {
namespace {

TEST(AclGetDataBufferAddr, GivesTheLatestAddressToManyThreads) {
  char data[2] = {};
  aclDataBuffer* buffer = aclCreateDataBuffer(data, 1);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), data);
  ASSERT_OK(aclUpdateDataBuffer(buffer, data + 1, 1));
  at_once(4, [&](size_t) { EXPECT_EQ(aclGetDataBufferAddr(buffer), data + 1); });
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(AclGetDataBufferAddr, GivesDeviceAddressesAsTheyAre) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    aclDataBuffer* buffer = aclCreateDataBuffer(device.get(), 64);
    EXPECT_EQ(aclGetDataBufferAddr(buffer), device.get());
    EXPECT_OK(aclDestroyDataBuffer(buffer));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

// Only the text shows that something was wrong: there is no code.
void expect_refused(void* buffer) {
  clear_errors();
  EXPECT_EQ(aclGetDataBufferAddr(static_cast<aclDataBuffer*>(buffer)), nullptr);
  const std::string text = recent_text();
  EXPECT_EQ(text.rfind("aclGetDataBufferAddr: ", 0), 0u) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetDataBufferAddr, RefusesNullDestroyedAndForeignBuffers) {
  char data = 0;
  uint64_t variable[8] = {};
  aclDataBuffer* destroyed = aclCreateDataBuffer(&data, 1);
  ASSERT_OK(aclDestroyDataBuffer(destroyed));
  expect_refused(nullptr);
  expect_refused(destroyed);
  expect_refused(variable);
  expect_refused(reinterpret_cast<void*>(uintptr_t{0x1234}));
}

TEST(AclGetDataBufferAddr, LeavesNoTextWhenItSucceeds) {
  clear_errors();
  char data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, 0);
  aclGetDataBufferAddr(buffer);
  EXPECT_EQ(recent_text(), "");
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

}  // namespace
}  // namespace conformance::aclGetDataBufferAddr_test
