// SPDX-License-Identifier: Apache-2.0
// aclrtFree: frees device memory at once.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::aclrtFree_test {
namespace {

using AclrtFree = WithStream;

void* allocate(size_t size) {
  void* address = nullptr;
  EXPECT_OK(aclrtMalloc(&address, size, kAnyPolicy));
  return address;
}

TEST_F(AclrtFree, MakesTheAddressUnknown) {
  void* address = allocate(4096);
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  char byte = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(address, 1, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(AclrtFree, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFree(nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  on_new_thread([] { EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFree(nullptr)); });
}

TEST_F(AclrtFree, NeedsNoContext) {
  void* address = allocate(64);
  on_new_thread([&] {
    EXPECT_OK(aclrtFree(address));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(address));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  });
}

TEST_F(AclrtFree, WorksAfterTheDeviceWasReset) {
  void* address = allocate(64);
  EXPECT_OK(aclrtDestroyStream(stream_));
  stream_ = nullptr;
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtFree(address));
  EXPECT_OK(aclrtSetDevice(0));
}

TEST_F(AclrtFree, RefusesWhatWasFreedAndSaysSo) {
  void* address = allocate(64);
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(aclrtFree(address), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = recent_text();
  EXPECT_EQ(text.rfind("aclrtFree: ", 0), 0u) << text;
  EXPECT_NE(text.find("freed"), std::string::npos) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclrtFree, RefusesAnAddressInsideAndLeavesTheMemoryAlone) {
  DeviceBuffer device(4096);
  device.write(pattern(4096));
  for (const size_t offset : {size_t{1}, size_t{64}, size_t{4095}, size_t{4096 + 31}}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(device.at(offset)));
  }
  EXPECT_EQ(device.read(), pattern(4096));
}

TEST_F(AclrtFree, RefusesMemoryOfOtherKindsAndSaysWhatItIs) {
  const PinnedBuffer pinned(64);
  HostPages registered;
  void* mapped = nullptr;
  ASSERT_OK(
      aclrtHostRegister(registered.get(), registered.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  char pageable = 0;
  std::vector<std::string> texts;
  for (void* address : {pinned.get(), registered.get(), mapped, static_cast<void*>(&pageable),
                        reinterpret_cast<void*>(uintptr_t{0x1234})}) {
    EXPECT_EQ(aclrtFree(address), ACL_ERROR_RT_PARAM_INVALID);
    texts.push_back(recent_text());
  }
  EXPECT_NE(texts[0].find("pinned"), std::string::npos) << texts[0];
  EXPECT_NE(texts[1].find("registered"), std::string::npos) << texts[1];
  EXPECT_NE(texts[2].find("registered"), std::string::npos) << texts[2];
  EXPECT_EQ(location_of(pinned.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtHostUnregister(registered.get()));
}

TEST_F(AclrtFree, RefusesHandles) {
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_OK(aclrtGetCurrentContext(&context));
  for (void* handle : {stream_, event, context}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(handle));
  }
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtFree, DoesNotWaitForQueuedWorkWhichThenFails) {
  PinnedBuffer host(64);
  void* address = allocate(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(address, 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtFree, DoesNotHarmQueuedWorkOnOtherMemory) {
  DeviceBuffer kept(64);
  PinnedBuffer host(64);
  host.fill(pattern(64));
  void* address = allocate(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(kept.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtFree(address));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(kept.read(), pattern(64));
}

TEST_F(AclrtFree, ServesManyThreadsAtOnce) {
  std::vector<std::vector<void*>> shares(4);
  for (std::vector<void*>& share : shares) {
    for (size_t i = 0; i < 50; ++i)
      share.push_back(allocate(1 + i * 100));
  }
  at_once(shares.size(), [&](size_t i) {
    const std::vector<void*>& share = shares[i];
    for (void* address : share)
      EXPECT_OK(aclrtFree(address));
    for (void* address : share)
      EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(address));
  });
}

FERRY_PROCESS_TEST(AclrtFreeProcess, FreesMemoryOfAnyDeviceFromAnyContext, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  void* address = allocate(64);
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

FERRY_PROCESS_TEST(AclrtFreeProcess, RefusesAForeignAddressAsTheFirstCallOfAll) {
  char byte = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(&byte));
}

FERRY_PROCESS_TEST(AclrtFreeProcess, WorksAfterAclFinalize) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  void* address = allocate(64);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclrtFree(address));
}

}  // namespace
}  // namespace conformance::memory::aclrtFree_test
