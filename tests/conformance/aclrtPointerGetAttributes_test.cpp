// SPDX-License-Identifier: Apache-2.0
// aclrtPointerGetAttributes: the location of an address.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

#include <cstring>
#include <memory>

namespace conformance::memory::aclrtPointerGetAttributes_test {
namespace {

using AclrtPointerGetAttributes = WithDevice;

void expect_lies(const void* address, aclrtMemLocationType type, uint32_t id) {
  aclrtPtrAttributes attributes;
  std::memset(&attributes, 0x5a, sizeof attributes);
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  EXPECT_EQ(attributes.location.type, type);
  EXPECT_EQ(attributes.location.id, id);
  EXPECT_NE(attributes.pageSize, 0x5a5a5a5au);
  for (const uint32_t word : attributes.rsv)
    EXPECT_EQ(word, 0u);
}

TEST_F(AclrtPointerGetAttributes, KnowsDeviceMemoryToItsLastByte) {
  const DeviceBuffer device(5000);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{4096}, size_t{4999}}) {
    expect_lies(device.at(offset), ACL_MEM_LOCATION_TYPE_DEVICE, 0);
  }
}

TEST_F(AclrtPointerGetAttributes, KnowsMemoryOfEveryAllocator) {
  void* address[4] = {};
  ASSERT_OK(aclrtMallocAlign32(&address[0], 64, kAnyPolicy));
  ASSERT_OK(aclrtMallocCached(&address[1], 64, kAnyPolicy));
  ASSERT_OK(aclrtMallocWithCfg(&address[2], 64, kAnyPolicy, nullptr));
  ASSERT_OK(aclrtMallocForTaskScheduler(&address[3], 64, kAnyPolicy, nullptr));
  for (void* one : address) {
    expect_lies(one, ACL_MEM_LOCATION_TYPE_DEVICE, 0);
    EXPECT_OK(aclrtFree(one));
    expect_lies(one, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  }
}

TEST_F(AclrtPointerGetAttributes, KnowsPinnedMemoryToItsLastByte) {
  const PinnedBuffer pinned(5000);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{4096}, size_t{4999}}) {
    expect_lies(pinned.bytes() + offset, ACL_MEM_LOCATION_TYPE_HOST, 0);
  }
}

TEST_F(AclrtPointerGetAttributes, KnowsRegisteredMemoryWhileItIsRegistered) {
  HostPages pages;
  void* mapped = nullptr;
  expect_lies(pages.get(), ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  ASSERT_OK(aclrtHostRegister(pages.get(), 5000, ACL_HOST_REGISTER_MAPPED, &mapped));
  expect_lies(pages.get(), ACL_MEM_LOCATION_TYPE_HOST, 0);
  expect_lies(pages.bytes() + 4999, ACL_MEM_LOCATION_TYPE_HOST, 0);
  expect_lies(pages.bytes() + 5000, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  expect_lies(pages.get(), ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
}

TEST_F(AclrtPointerGetAttributes, TakesTheDevicePointerOfRegisteredMemoryForDeviceMemory) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  expect_lies(mapped, ACL_MEM_LOCATION_TYPE_DEVICE, 0);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  expect_lies(mapped, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
}

TEST_F(AclrtPointerGetAttributes, KnowsNoMemoryOfTheProgram) {
  const auto allocated = std::make_unique<char[]>(64);
  char local = 0;
  static char global;
  for (const void* address :
       {static_cast<const void*>(allocated.get()), static_cast<const void*>(&local),
        static_cast<const void*>(&global), static_cast<const void*>("text")}) {
    expect_lies(address, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  }
}

TEST_F(AclrtPointerGetAttributes, ReadsNothingAtTheAddress) {
  for (const uintptr_t address : {uintptr_t{1}, uintptr_t{0x1234}, UINTPTR_MAX / 2, UINTPTR_MAX}) {
    expect_lies(reinterpret_cast<const void*>(address), ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  }
}

TEST_F(AclrtPointerGetAttributes, ForgetsMemoryThatWasFreed) {
  void* device = nullptr;
  void* pinned = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 5000, kAnyPolicy));
  ASSERT_OK(aclrtMallocHost(&pinned, 5000));
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtFreeHost(pinned));
  expect_lies(device, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
  expect_lies(pinned, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
}

TEST_F(AclrtPointerGetAttributes, NeedsNoContext) {
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  on_new_thread([&] {
    expect_lies(device.get(), ACL_MEM_LOCATION_TYPE_DEVICE, 0);
    expect_lies(pinned.get(), ACL_MEM_LOCATION_TYPE_HOST, 0);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
}

TEST_F(AclrtPointerGetAttributes, RefusesNull) {
  aclrtPtrAttributes attributes;
  std::memset(&attributes, 0x5a, sizeof attributes);
  const aclrtPtrAttributes filler = attributes;
  char byte = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtPointerGetAttributes(nullptr, &attributes));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtPointerGetAttributes(&byte, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtPointerGetAttributes(nullptr, nullptr));
  EXPECT_EQ(std::memcmp(&attributes, &filler, sizeof filler), 0);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclrtPointerGetAttributes, AnswersWhileOtherThreadsAllocateAndFree) {
  const DeviceBuffer device(64);
  at_once(4, [&](size_t thread) {
    if (thread % 2 == 0) {
      for (int round = 0; round < 300; ++round)
        EXPECT_EQ(location_of(device.get()).type, ACL_MEM_LOCATION_TYPE_DEVICE);
      return;
    }
    EXPECT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 300; ++round) {
      const DeviceBuffer other(64);
      EXPECT_EQ(location_of(other.get()).type, ACL_MEM_LOCATION_TYPE_DEVICE);
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

FERRY_PROCESS_TEST(AclrtPointerGetAttributesProcess, TellsTheDevice, "FERRY_DEVICES=cpu:3") {
  for (const int device : {2, 0, 1}) {
    ASSERT_OK(aclrtSetDevice(device));
    const DeviceBuffer buffer(64);
    const PinnedBuffer pinned(64);
    ASSERT_OK(aclrtSetDevice(0));
    expect_lies(buffer.get(), ACL_MEM_LOCATION_TYPE_DEVICE, static_cast<uint32_t>(device));
    expect_lies(pinned.get(), ACL_MEM_LOCATION_TYPE_HOST, 0);
  }
}

FERRY_PROCESS_TEST(AclrtPointerGetAttributesProcess, TellsTheNumberTheProgramUses,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,1") {
  ASSERT_OK(aclrtSetDevice(1));
  const DeviceBuffer buffer(64);
  expect_lies(buffer.get(), ACL_MEM_LOCATION_TYPE_DEVICE, 1);
}

FERRY_PROCESS_TEST(AclrtPointerGetAttributesProcess, WorksAsTheFirstCallOfAll) {
  char byte = 0;
  expect_lies(&byte, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0);
}

}  // namespace
}  // namespace conformance::memory::aclrtPointerGetAttributes_test
