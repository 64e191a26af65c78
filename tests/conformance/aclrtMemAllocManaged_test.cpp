// SPDX-License-Identifier: Apache-2.0
// aclrtMemAllocManaged: memory that the host and all devices use at one address.
#include "support/at_once.h"
#include "support/managed.h"
#include "support/needs.h"

#include <cstring>

namespace conformance::copies::aclrtMemAllocManaged_test {
namespace {

using AclrtMemAllocManaged = WithManagedMemory;

void* untouched() {
  return reinterpret_cast<void*>(uintptr_t{0x5a5a5a5a});
}

TEST_F(AclrtMemAllocManaged, GivesWholePagesOf2MiB) {
  for (const size_t size : {size_t{1}, kManagedPage - 1, kManagedPage, kManagedPage + 1}) {
    const ManagedBuffer managed(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(managed.get()) % kManagedPage, 0u);
    const size_t usable = (size + kManagedPage - 1) / kManagedPage * kManagedPage;
    EXPECT_OK(aclrtMemset(managed.get(), usable, 7, usable));
    EXPECT_EQ(managed.bytes()[usable - 1], 7);
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtMemset(managed.get(), usable + 1, 7, usable + 1));
  }
}

TEST_F(AclrtMemAllocManaged, IsUsedByTheHostAndByCopies) {
  const ManagedBuffer managed(1000);
  const DeviceBuffer device(1000);
  std::memcpy(managed.get(), pattern(1000).data(), 1000);
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 1000, managed.get(), 1000, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(device.read(), pattern(1000));
  EXPECT_OK(aclrtMemsetAsync(managed.get(), 1000, 9, 1000, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(managed.bytes()[0], 9);
  EXPECT_EQ(managed.bytes()[999], 9);
}

TEST_F(AclrtMemAllocManaged, IsManagedMemoryForPointerAttributes) {
  const ManagedBuffer managed(1);
  for (const size_t offset : {size_t{0}, size_t{1}, kManagedPage - 1}) {
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(managed.at(offset), &attributes));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
    EXPECT_EQ(attributes.pageSize, kManagedPage);
  }
}

TEST_F(AclrtMemAllocManaged, IsFreedByAclrtFreeOnce) {
  for (aclError (*const release)(void*) : {aclrtFree, aclrtFreeWithDevSync}) {
    void* address = nullptr;
    ASSERT_OK(aclrtMemAllocManaged(&address, 1, ACL_RT_MEM_ATTACH_GLOBAL));
    EXPECT_OK(release(address));
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    EXPECT_EQ(release(address), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_TRUE(text_has("managed memory"));
  }
}

TEST_F(AclrtMemAllocManaged, IsNoHostMemoryToFreeOrRegister) {
  const ManagedBuffer managed(kManagedPage);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(managed.get()));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(managed.at(1)));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegisterV2(managed.get(), 4096, ACL_HOST_REG_PINNED));
}

TEST_F(AclrtMemAllocManaged, TakesNoMemoryOfTheDeviceBeforeItIsTouched) {
  NEEDS_CPU_DEVICE("a GPU reports memory that other processes use");
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  const ManagedBuffer managed(size_t{1} << 30);
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  EXPECT_EQ(before, after);
}

TEST_F(AclrtMemAllocManaged, RefusesNullThenOtherFlagsThenSizeZeroThenNoContext) {
  void* address = untouched();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemAllocManaged(nullptr, 0, 0));
  for (const uint32_t flag : {0u, 2u, 3u, UINT32_MAX}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007", aclrtMemAllocManaged(&address, 0, flag));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemAllocManaged(&address, 0, ACL_RT_MEM_ATTACH_GLOBAL));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemAllocManaged(&address, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  });
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtMemAllocManaged, RefusesMoreThanThereAreAddresses) {
  for (const uint64_t size : {uint64_t{1} << 60, UINT64_MAX - kManagedPage, UINT64_MAX}) {
    void* address = untouched();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION,
                      aclrtMemAllocManaged(&address, size, ACL_RT_MEM_ATTACH_GLOBAL));
    EXPECT_EQ(address, untouched());
  }
}

TEST_F(AclrtMemAllocManaged, ThreadsAllocateAndFreeAtOnce) {
  at_once(4, [](size_t thread) {
    EXPECT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 50; ++round) {
      const ManagedBuffer managed(1);
      managed.bytes()[0] = static_cast<uint8_t>(thread);
      EXPECT_EQ(managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.get(), 1), 0);
      EXPECT_EQ(managed.bytes()[0], thread);
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

FERRY_PROCESS_TEST(AclrtMemAllocManagedProcess, IsOnlyOnA2AndA3, "FERRY_SOC=Ascend950PR_9579") {
  ASSERT_OK(aclrtSetDevice(0));
  void* address = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
               aclrtMemAllocManaged(&address, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  int32_t value = 0;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
               aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, &value, 1, &value, 4));
}

FERRY_PROCESS_TEST(AclrtMemAllocManagedProcess, IsRefusedByADeviceWithoutIt, "FERRY_DEVICES=null") {
  ASSERT_OK(aclrtSetDevice(0));
  void* address = untouched();
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
               aclrtMemAllocManaged(&address, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT_EQ(address, untouched());
}

}  // namespace
}  // namespace conformance::copies::aclrtMemAllocManaged_test
