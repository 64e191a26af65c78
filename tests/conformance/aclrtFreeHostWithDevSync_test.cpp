// SPDX-License-Identifier: Apache-2.0
// aclrtFreeHostWithDevSync: waits for the device, then frees pinned host memory.
#include "support/device_allocator.h"

#include <atomic>

namespace conformance::memory::aclrtFreeHostWithDevSync_test {
namespace {

using AclrtFreeHostWithDevSync = WithStream;

void* allocate(size_t size) {
  void* address = nullptr;
  EXPECT_OK(aclrtMallocHost(&address, size));
  return address;
}

TEST_F(AclrtFreeHostWithDevSync, FreesWhenNothingIsQueued) {
  void* address = allocate(64);
  EXPECT_OK(aclrtFreeHostWithDevSync(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtFreeHostWithDevSync, RefusesNullBeforeItLooksForAContext) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeHostWithDevSync(nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  on_new_thread(
      [] { EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeHostWithDevSync(nullptr)); });
}

TEST_F(AclrtFreeHostWithDevSync, NeedsAContextAndLeavesTheMemoryAliveWithoutOne) {
  void* address = allocate(64);
  on_new_thread([&] {
    char foreign = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtFreeHostWithDevSync(address));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtFreeHostWithDevSync(&foreign));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_OK(aclrtFreeHost(address));
}

TEST_F(AclrtFreeHostWithDevSync, WaitsForTheWorkOfEveryStreamOfTheDevice) {
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  DeviceBuffer first(64);
  DeviceBuffer second(64);
  void* address = allocate(64);
  const std::vector<uint8_t> bytes = pattern(64);
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(address));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(first.get(), 64, address, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyAsync(second.get(), 64, address, 64, ACL_MEMCPY_HOST_TO_DEVICE, other));
  std::atomic<bool> is_freed = false;
  std::thread freeing([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(aclrtFreeHostWithDevSync(address));
    is_freed = true;
  });
  EXPECT_FALSE(is_freed);
  gate.open();
  freeing.join();
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(first.read(), bytes);
  EXPECT_EQ(second.read(), bytes);
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(AclrtFreeHostWithDevSync, ReturnsTheFailureOfATaskAndDoesNotFree) {
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, kAnyPolicy));
  const PinnedBuffer host(64);
  void* address = allocate(64);
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtMemcpyAsync(gone, 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(gone));
  }
  EXPECT_EQ(aclrtFreeHostWithDevSync(address), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  // The failure was left to the stream.
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtFreeHostWithDevSync(address));
}

TEST_F(AclrtFreeHostWithDevSync, ReportsAFailedTaskBeforeAForeignAddress) {
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, kAnyPolicy));
  const PinnedBuffer host(64);
  char foreign = 0;
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtMemcpyAsync(gone, 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(gone));
  }
  EXPECT_EQ(aclrtFreeHostWithDevSync(&foreign), ACL_ERROR_RT_TS_ERROR);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHostWithDevSync(&foreign));
}

TEST_F(AclrtFreeHostWithDevSync, RefusesWhatAclrtFreeHostRefuses) {
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  char pageable = 0;
  void* freed = allocate(64);
  ASSERT_OK(aclrtFreeHostWithDevSync(freed));
  for (void* address : {freed, device.get(), static_cast<void*>(pinned.bytes() + 1),
                        static_cast<void*>(&pageable), static_cast<void*>(stream_)}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHostWithDevSync(address));
  }
}

}  // namespace
}  // namespace conformance::memory::aclrtFreeHostWithDevSync_test
