// SPDX-License-Identifier: Apache-2.0
// aclrtFreeWithDevSync: waits for the device, then frees device memory.
#include "support/device_allocator.h"

#include <atomic>

namespace conformance::memory::aclrtFreeWithDevSync_test {
namespace {

using AclrtFreeWithDevSync = WithStream;

void* allocate(size_t size) {
  void* address = nullptr;
  EXPECT_OK(aclrtMalloc(&address, size, kAnyPolicy));
  return address;
}

TEST_F(AclrtFreeWithDevSync, FreesWhenNothingIsQueued) {
  void* address = allocate(64);
  EXPECT_OK(aclrtFreeWithDevSync(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtFreeWithDevSync, RefusesNullBeforeItLooksForAContext) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeWithDevSync(nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  on_new_thread(
      [] { EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtFreeWithDevSync(nullptr)); });
}

TEST_F(AclrtFreeWithDevSync, NeedsAContextAndLeavesTheMemoryAliveWithoutOne) {
  void* address = allocate(64);
  on_new_thread([&] {
    char foreign = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtFreeWithDevSync(address));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtFreeWithDevSync(&foreign));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_OK(aclrtFree(address));
}

TEST_F(AclrtFreeWithDevSync, WaitsForTheWorkOfEveryStreamOfTheDevice) {
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  PinnedBuffer first(64);
  PinnedBuffer second(64);
  void* address = allocate(64);
  const std::vector<uint8_t> bytes = pattern(64);
  ASSERT_OK(aclrtMemcpy(address, 64, bytes.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(first.get(), 64, address, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtMemcpyAsync(second.get(), 64, address, 64, ACL_MEMCPY_DEVICE_TO_HOST, other));
  std::atomic<bool> is_freed = false;
  std::thread freeing([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(aclrtFreeWithDevSync(address));
    is_freed = true;
    EXPECT_EQ(first.copy(), bytes);
    EXPECT_EQ(second.copy(), bytes);
  });
  EXPECT_FALSE(is_freed);
  gate.open();
  freeing.join();
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(AclrtFreeWithDevSync, ReturnsTheFailureOfATaskAndDoesNotFree) {
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, kAnyPolicy));
  const PinnedBuffer host(64);
  void* address = allocate(64);
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtMemcpyAsync(gone, 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(gone));
  }
  EXPECT_EQ(aclrtFreeWithDevSync(address), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  // The failure was left to the stream.
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtFreeWithDevSync(address));
}

TEST_F(AclrtFreeWithDevSync, ReportsAFailedTaskBeforeAForeignAddress) {
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, kAnyPolicy));
  const PinnedBuffer host(64);
  char foreign = 0;
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtMemcpyAsync(gone, 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(gone));
  }
  EXPECT_EQ(aclrtFreeWithDevSync(&foreign), ACL_ERROR_RT_TS_ERROR);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(&foreign));
}

TEST_F(AclrtFreeWithDevSync, RefusesWhatAclrtFreeRefuses) {
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  char pageable = 0;
  void* freed = allocate(64);
  ASSERT_OK(aclrtFreeWithDevSync(freed));
  for (void* address : {freed, pinned.get(), static_cast<void*>(device.at(1)),
                        static_cast<void*>(&pageable), static_cast<void*>(stream_)}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(address));
  }
}

}  // namespace
}  // namespace conformance::memory::aclrtFreeWithDevSync_test
