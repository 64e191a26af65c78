// SPDX-License-Identifier: Apache-2.0
// aclrtFreeHost: frees memory of aclrtMallocHost at once.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

#include <memory>

namespace conformance::memory::aclrtFreeHost_test {
namespace {

using AclrtFreeHost = WithStream;

void* allocate(size_t size) {
  void* address = nullptr;
  EXPECT_OK(aclrtMallocHost(&address, size));
  return address;
}

TEST_F(AclrtFreeHost, MakesTheAddressUnknown) {
  void* address = allocate(64);
  EXPECT_OK(aclrtFreeHost(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtFreeHost, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeHost(nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclrtFreeHost, NeedsNoContext) {
  void* address = allocate(64);
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeHost(nullptr));
    EXPECT_OK(aclrtFreeHost(address));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(address));
  });
}

TEST_F(AclrtFreeHost, WorksAfterTheDeviceWasReset) {
  void* address = allocate(64);
  EXPECT_OK(aclrtDestroyStream(stream_));
  stream_ = nullptr;
  EXPECT_OK(aclrtResetDevice(0));
  static_cast<uint8_t*>(address)[0] = 1;
  EXPECT_OK(aclrtFreeHost(address));
  EXPECT_OK(aclrtSetDevice(0));
}

TEST_F(AclrtFreeHost, RefusesWhatWasFreedAndSaysSo) {
  void* address = allocate(64);
  EXPECT_OK(aclrtFreeHost(address));
  EXPECT_EQ(aclrtFreeHost(address), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = recent_text();
  EXPECT_EQ(text.rfind("aclrtFreeHost: ", 0), 0u) << text;
  EXPECT_NE(text.find("freed"), std::string::npos) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclrtFreeHost, RefusesDeviceMemory) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011", aclrtFreeHost(device.get()));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(device.read(), pattern(64));
}

TEST_F(AclrtFreeHost, RefusesMemoryOfTheProgram) {
  const auto allocated = std::make_unique<uint8_t[]>(64);
  uint8_t local[64] = {};
  static uint8_t global[64];
  for (uint8_t* address : {allocated.get(), local, global}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(address));
    address[0] = 1;
  }
}

TEST_F(AclrtFreeHost, RefusesRegisteredMemoryAndItsDevicePointer) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(pages.get()));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(mapped));
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtFreeHost, RefusesAnAddressInsideAndLeavesTheMemoryAlone) {
  PinnedBuffer pinned(4096);
  pinned.fill(pattern(4096));
  for (const size_t offset : {size_t{1}, size_t{64}, size_t{4095}}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(pinned.bytes() + offset));
  }
  EXPECT_EQ(pinned.copy(), pattern(4096));
}

TEST_F(AclrtFreeHost, DoesNotWaitForQueuedWorkWhichThenFails) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  void* address = allocate(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(address, 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtFreeHost(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
}

TEST_F(AclrtFreeHost, ServesManyThreadsAtOnce) {
  std::vector<std::vector<void*>> shares(4);
  for (std::vector<void*>& share : shares) {
    for (size_t i = 0; i < 50; ++i)
      share.push_back(allocate(1 + i * 100));
  }
  at_once(shares.size(), [&](size_t i) {
    const std::vector<void*>& share = shares[i];
    for (void* address : share)
      EXPECT_OK(aclrtFreeHost(address));
    for (void* address : share)
      EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(address));
  });
}

}  // namespace
}  // namespace conformance::memory::aclrtFreeHost_test
