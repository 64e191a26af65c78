// SPDX-License-Identifier: Apache-2.0
// aclrtMemInvalidate: discards the cached contents of device memory.
#include "support/at_once.h"
#include "support/conformance.h"

namespace conformance::aclrtMemInvalidate_test {
namespace {

using AclrtMemInvalidate = WithDevice;

TEST_F(AclrtMemInvalidate, LeavesTheBytesAlone) {
  void* address = nullptr;
  ASSERT_OK(aclrtMallocCached(&address, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  const std::vector<uint8_t> bytes = pattern(4096);
  std::vector<uint8_t> back(4096);
  EXPECT_OK(aclrtMemcpy(address, 4096, bytes.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemInvalidate(address, 4096));
  EXPECT_OK(aclrtMemInvalidate(static_cast<char*>(address) + 5, 1));
  EXPECT_OK(aclrtMemcpy(back.data(), 4096, address, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(back, bytes);
  EXPECT_OK(aclrtFree(address));
}

TEST_F(AclrtMemInvalidate, TakesMemoryOfAnyAllocatorUpToItsPadding) {
  const DeviceBuffer device(100);
  EXPECT_OK(aclrtMemInvalidate(device.get(), 160));
  EXPECT_OK(aclrtMemInvalidate(device.at(159), 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(device.get(), 161));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(device.at(159), 2));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(device.at(1), SIZE_MAX));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclrtMemInvalidate, RefusesNullAndSizeZero) {
  const DeviceBuffer device(100);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemInvalidate(nullptr, 100));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemInvalidate(nullptr, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtMemInvalidate(device.get(), 0));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclrtMemInvalidate, RefusesMemoryThatIsNotOfADevice) {
  const PinnedBuffer pinned(100);
  char pageable[100] = {};
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  for (void* address : {pinned.get(), static_cast<void*>(pageable), freed}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(address, 100));
  }
}

TEST_F(AclrtMemInvalidate, NeedsAContextBeforeItLooksAtTheRange) {
  const DeviceBuffer device(100);
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemInvalidate(nullptr, 100));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtMemInvalidate(device.get(), 0));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMemInvalidate(device.get(), 100));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMemInvalidate(device.get(), 1000));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(AclrtMemInvalidate, ServesManyThreadsAtOnce) {
  const DeviceBuffer device(1000);
  at_once(4, [&](size_t) {
    EXPECT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 100; ++round)
      EXPECT_OK(aclrtMemInvalidate(device.get(), 1000));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

}  // namespace
}  // namespace conformance::aclrtMemInvalidate_test
