// SPDX-License-Identifier: Apache-2.0
// aclrtMalloc: memory of a device.
#include "support/device_allocator.h"

namespace conformance::memory::aclrtMalloc_test {
namespace {

using AclrtMalloc = WithDevice;

constexpr DeviceAllocator kFunction = {"aclrtMalloc", aclrtMalloc, 32};

TEST_F(AclrtMalloc, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMalloc, RefusesSizesThatOverflowWithTheirPadding) {
  expect_refuses_sizes_that_overflow(kFunction);
}

TEST_F(AclrtMalloc, RefusesMoreThanTheDeviceHas) {
  expect_refuses_more_than_the_device_has(kFunction);
}

TEST_F(AclrtMalloc, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMalloc, TakesADestroyedContextForNone) {
  expect_takes_a_destroyed_context_for_none(kFunction);
}

TEST_F(AclrtMalloc, GivesMemoryThatKeepsBytes) {
  expect_gives_memory_that_keeps_bytes(kFunction);
}

TEST_F(AclrtMalloc, TakesEveryPolicy) {
  expect_takes_every_policy(kFunction);
}

TEST_F(AclrtMalloc, PadsTheMemory) {
  expect_pads(kFunction);
}

TEST_F(AclrtMalloc, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

TEST_F(AclrtMalloc, LeavesOutTheExtraBytesWithPagesOfOneGibibyte) {
  for (const aclrtMemMallocPolicy policy :
       {ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P}) {
    for (const size_t size : {size_t{1}, size_t{32}, size_t{33}, size_t{4096}}) {
      void* address = nullptr;
      ASSERT_OK(aclrtMalloc(&address, size, policy));
      expect_usable_bytes(address, (size + 31) / 32 * 32);
      EXPECT_OK(aclrtFree(address));
    }
  }
}

TEST_F(AclrtMalloc, PadsEveryOtherPolicyAlike) {
  for (const int policy : {1, 2, 3, 4, 5, 0x1000, 0x1002}) {
    void* address = nullptr;
    ASSERT_OK(aclrtMalloc(&address, 100, static_cast<aclrtMemMallocPolicy>(policy)));
    expect_usable_bytes(address, 160);
    EXPECT_OK(aclrtFree(address));
  }
}

TEST_F(AclrtMalloc, JudgesAQueuedCopyIntoThePaddingWhenItRuns) {
  const DeviceBuffer device(100);
  PinnedBuffer host(161);
  host.fill(pattern(161));
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 160, host.get(), 160, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(device.read(0, 160), pattern(160));

  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 161, host.get(), 161, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
}

TEST_F(AclrtMalloc, WorksInAContextMadeByHand) {
  on_new_thread([] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    {
      DeviceBuffer device(1000);
      device.write(pattern(1000));
      EXPECT_EQ(device.read(), pattern(1000));
      EXPECT_EQ(location_of(device.get()).id, 0u);
    }
    EXPECT_OK(aclrtDestroyContext(context));
  });
}

TEST_F(AclrtMalloc, GivesMemoryThatOutlivesItsContextAndDevice) {
  void* address = nullptr;
  const std::vector<uint8_t> bytes = pattern(500);
  on_new_thread([&] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtMalloc(&address, 500, kAnyPolicy));
    EXPECT_OK(aclrtMemcpy(address, 500, bytes.data(), 500, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtDestroyContext(context));
  });
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_OK(aclrtSetDevice(0));
  std::vector<uint8_t> back(500);
  EXPECT_OK(aclrtMemcpy(back.data(), 500, address, 500, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(back, bytes);
  EXPECT_OK(aclrtFree(address));
}

FERRY_PROCESS_TEST(AclrtMallocProcess, GivesMemoryOfTheCurrentDevice, "FERRY_DEVICES=cpu:2",
                   "FERRY_MEMORY=16M") {
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(1));
  void* large = nullptr;
  void* small = nullptr;
  EXPECT_OK(aclrtMalloc(&large, size_t{10} << 20, kAnyPolicy));
  EXPECT_EQ(location_of(large).id, 1u);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION,
                    aclrtMalloc(&small, size_t{10} << 20, kAnyPolicy));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtMalloc(&small, size_t{10} << 20, kAnyPolicy));
  EXPECT_EQ(location_of(small).id, 0u);
  EXPECT_OK(aclrtFree(small));
  EXPECT_OK(aclrtFree(large));
}

FERRY_PROCESS_TEST(AclrtMallocProcess, FindsNoContextInAWrongEnvironment, "FERRY_MEMORY=lots") {
  void* address = untouched();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));
  EXPECT_NE(aclrtMalloc(&address, 64, kAnyPolicy), ACL_SUCCESS);
  EXPECT_EQ(address, untouched());
}

}  // namespace
}  // namespace conformance::memory::aclrtMalloc_test
