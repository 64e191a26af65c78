// SPDX-License-Identifier: Apache-2.0
// How copies treat registered host memory: they are asynchronous while it is registered and block
// before and after; its device pointer counts as device memory.
#include "support/device_allocator.h"
#include "support/host_pages.h"

#include <atomic>

namespace conformance::memory::registered_memory_is_pinned_test {
namespace {

using RegisteredMemoryIsPinned = WithStream;

// A copy to the device is queued: the call returns behind a closed gate, and the copy reads the
// contents as of when the gate has opened.
void expect_queued(HostPages& pages, DeviceBuffer& device, aclrtStream stream) {
  const size_t size = pages.size();
  pages.fill(std::vector<uint8_t>(size, 1));
  device.write(std::vector<uint8_t>(size, 2));
  Gate gate(stream);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), size, pages.get(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_EQ(device.read(), std::vector<uint8_t>(size, 2));
  pages.fill(pattern(size));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(device.read(), pattern(size));
}

// A copy to the device waits for its stream and is complete when the call returns.
void expect_blocking(HostPages& pages, DeviceBuffer& device, aclrtStream stream) {
  const size_t size = pages.size();
  pages.fill(pattern(size, 5));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  Gate gate(stream);
  std::atomic<bool> is_back = false;
  std::thread copying([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), size, pages.get(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    is_back = true;
    EXPECT_EQ(device.read(), pattern(size, 5));
  });
  EXPECT_FALSE(is_back);
  gate.open();
  copying.join();
}

TEST_F(RegisteredMemoryIsPinned, FromRegisteringToUnregistering) {
  HostPages pages;
  DeviceBuffer device(pages.size());
  for (int round = 0; round < 2; ++round) {
    expect_blocking(pages, device, stream_);
    void* mapped = nullptr;
    ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
    expect_queued(pages, device, stream_);
    EXPECT_OK(aclrtHostUnregister(pages.get()));
    expect_blocking(pages, device, stream_);
    ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
    expect_queued(pages, device, stream_);
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_F(RegisteredMemoryIsPinned, CopiesFromTheDeviceAreQueuedToo) {
  HostPages pages;
  DeviceBuffer device(pages.size());
  device.write(pattern(pages.size()));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  pages.fill(std::vector<uint8_t>(pages.size(), 0));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(pages.get(), pages.size(), device.get(), pages.size(),
                             ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_EQ(pages.copy(), std::vector<uint8_t>(pages.size(), 0));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pages.copy(), pattern(pages.size()));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(RegisteredMemoryIsPinned, TwoSuchAddressesAreStillHostToHost) {
  HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
      aclrtMemcpyAsync(pages.get(), 64, pages.bytes() + 4096, 64, ACL_MEMCPY_DEFAULT, stream_));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_OK(aclrtMemcpy(pages.get(), 64, pages.bytes() + 4096, 64, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(RegisteredMemoryIsPinned, QueuedWorkBeyondTheRangeFailsWhenItRuns) {
  HostPages pages;
  const DeviceBuffer device(pages.size());
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 100, ACL_HOST_REG_PINNED));
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 101, pages.get(), 101, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(RegisteredMemoryIsPinned, MemoryOfAclrtMallocHostStaysPinnedThroughout) {
  PinnedBuffer pinned(8192);
  void* mapped = nullptr;
  EXPECT_TRUE(is_pinned(pinned.get()));
  ASSERT_OK(aclrtHostRegister(pinned.get(), pinned.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_TRUE(is_pinned(pinned.get()));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
  EXPECT_TRUE(is_pinned(pinned.get()));
}

// A range of aclrtMallocHost memory is checked against its allocation, even when a part of it is
// registered.
TEST_F(RegisteredMemoryIsPinned, RegisteringAPartOfAnAllocationCutsNothingOff) {
  PinnedBuffer pinned(8192);
  pinned.fill(pattern(8192));
  const DeviceBuffer device(8192);
  ASSERT_OK(aclrtHostRegisterV2(pinned.get(), 4096, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtMemcpy(device.get(), 8192, pinned.get(), 8192, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(device.read(), pattern(8192));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
}

TEST_F(RegisteredMemoryIsPinned, TheDevicePointerWorksInCopiesOfAllDirections) {
  HostPages pages;
  const size_t size = pages.size();
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), size, ACL_HOST_REGISTER_MAPPED, &mapped));
  DeviceBuffer device(size);
  const std::vector<uint8_t> sent = pattern(size, 1);
  EXPECT_OK(aclrtMemcpy(mapped, size, sent.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(pages.copy(), sent);
  std::vector<uint8_t> received(size);
  EXPECT_OK(aclrtMemcpy(received.data(), size, mapped, size, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(received, sent);
  device.write(pattern(size, 2));
  EXPECT_OK(
      aclrtMemcpyAsync(mapped, size, device.get(), size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pages.copy(), pattern(size, 2));
  EXPECT_OK(aclrtMemsetAsync(mapped, size, 7, size, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pages.copy(), std::vector<uint8_t>(size, 7));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(RegisteredMemoryIsPinned, TheDevicePointerIsTheDeviceSideOfAnAsynchronousCopy) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  PinnedBuffer pinned(pages.size());
  pinned.fill(pattern(pages.size(), 3));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(mapped, pages.size(), pinned.get(), pages.size(),
                             ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(pages.copy(), std::vector<uint8_t>(pages.size(), 0));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pages.copy(), pattern(pages.size(), 3));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(RegisteredMemoryIsPinned, UnregisteringTakesTheDevicePointerFromQueuedWork) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  DeviceBuffer device(64);
  device.write(std::vector<uint8_t>(64, 9));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(mapped, 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_EQ(pages.copy(), std::vector<uint8_t>(pages.size(), 0));
}

}  // namespace
}  // namespace conformance::memory::registered_memory_is_pinned_test
