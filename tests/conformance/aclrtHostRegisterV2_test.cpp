// SPDX-License-Identifier: Apache-2.0
// aclrtHostRegisterV2: pins host memory of the program; an address on the device is optional.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::aclrtHostRegisterV2_test {
namespace {

using AclrtHostRegisterV2 = WithStream;

constexpr uint32_t kMapped = ACL_HOST_REG_MAPPED;
constexpr uint32_t kPinned = ACL_HOST_REG_PINNED;

TEST_F(AclrtHostRegisterV2, MakesMemoryPinnedWithAnyFlag) {
  for (const uint32_t flag : {0x2u, 0x4u, 0x8u, 0x10000000u, 0x6u, 0xeu, 0x1000000eu}) {
    HostPages pages;
    EXPECT_FALSE(is_pinned(pages.get()));
    EXPECT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), flag)) << flag;
    EXPECT_TRUE(is_pinned(pages.get())) << flag;
    EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
    EXPECT_EQ(location_of(pages.get()).id, 0u);
    EXPECT_OK(aclrtHostUnregister(pages.get()));
    EXPECT_FALSE(is_pinned(pages.get())) << flag;
  }
}

TEST_F(AclrtHostRegisterV2, QueuesCopiesOfPinnedMemory) {
  std::vector<uint8_t> memory(64, 0);
  DeviceBuffer device(64);
  device.write(std::vector<uint8_t>(64, 9));
  ASSERT_OK(aclrtHostRegisterV2(memory.data(), memory.size(), kPinned));
  Gate gate(stream_);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 64, memory.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(device.read(), std::vector<uint8_t>(64, 9));
  const std::vector<uint8_t> bytes = pattern(64);
  std::copy(bytes.begin(), bytes.end(), memory.begin());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(device.read(), pattern(64));
  EXPECT_OK(aclrtHostUnregister(memory.data()));
}

TEST_F(AclrtHostRegisterV2, TakesUnalignedAddressesAndSizes) {
  HostPages pages;
  for (const size_t offset : {size_t{1}, size_t{64}, size_t{4095}}) {
    for (const size_t size : {size_t{1}, size_t{100}, size_t{5000}}) {
      uint8_t* start = pages.bytes() + offset;
      EXPECT_OK(aclrtHostRegisterV2(start, size, kPinned));
      EXPECT_EQ(location_of(start).type, ACL_MEM_LOCATION_TYPE_HOST);
      EXPECT_EQ(location_of(start + size - 1).type, ACL_MEM_LOCATION_TYPE_HOST);
      EXPECT_EQ(location_of(start + size).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
      EXPECT_EQ(location_of(start - 1).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
      EXPECT_OK(aclrtHostUnregister(start));
    }
  }
}

TEST_F(AclrtHostRegisterV2, GivesNoDeviceAddressUnlessAsked) {
  HostPages pages;
  void* mapped = nullptr;
  for (const uint32_t flag : {0x4u, 0x8u, 0x10000000u}) {
    ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), flag));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtHostGetDevicePointer(pages.get(), &mapped, 0));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
  for (const uint32_t flag : {kMapped, kMapped | kPinned}) {
    ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), flag));
    EXPECT_OK(aclrtHostGetDevicePointer(pages.get(), &mapped, 0));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_F(AclrtHostRegisterV2, TakesMemoryOfAclrtMallocHost) {
  const PinnedBuffer pinned(8192);
  EXPECT_OK(aclrtHostRegisterV2(pinned.get(), 8192, kPinned));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
  EXPECT_OK(aclrtHostRegisterV2(pinned.bytes() + 10, 100, kMapped));
  EXPECT_OK(aclrtHostUnregister(pinned.bytes() + 10));
  EXPECT_TRUE(is_pinned(pinned.get()));
}

TEST_F(AclrtHostRegisterV2, RefusesNullAndSizeZeroBeforeAnythingElse) {
  HostPages pages;
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostRegisterV2(nullptr, 0, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostRegisterV2(nullptr, 4096, kPinned));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtHostRegisterV2(pages.get(), 0, 0));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
}

TEST_F(AclrtHostRegisterV2, RefusesNoFlagAndUnknownFlagsBeforeTheContext) {
  HostPages pages;
  for (const uint32_t flag : {0u, 1u, 3u, 0x10u, 0x20000000u, 0x10000001u, 0xffffffffu}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtHostRegisterV2(pages.get(), pages.size(), flag));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    on_new_thread([&] {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                   aclrtHostRegisterV2(pages.get(), pages.size(), flag));
    });
  }
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtHostRegisterV2, NeedsAContextBeforeItLooksAtTheRange) {
  HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), kPinned));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostRegisterV2(pages.get(), pages.size(), kPinned));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostRegisterV2(pages.get(), pages.size() + 1, kPinned));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostRegisterV2, RefusesARangeThatIsRegisteredInPart) {
  HostPages pages;
  uint8_t* start = pages.bytes() + 100;
  ASSERT_OK(aclrtHostRegisterV2(start, 100, kPinned));
  struct Range {
    size_t offset;
    size_t size;
  };
  for (const Range range : {Range{100, 100}, Range{100, 1}, Range{199, 1}, Range{0, 101},
                            Range{0, 300}, Range{199, 100}, Range{0, pages.size() + 1}}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "EE1018",
                 aclrtHostRegisterV2(pages.bytes() + range.offset, range.size, kPinned));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  }
  void* mapped = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                    aclrtHostRegister(pages.get(), 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_OK(aclrtHostRegisterV2(pages.get(), 100, kPinned));
  EXPECT_OK(aclrtHostRegisterV2(pages.bytes() + 200, 100, kPinned));
  for (uint8_t* registered : {pages.bytes(), start, pages.bytes() + 200})
    EXPECT_OK(aclrtHostUnregister(registered));
}

TEST_F(AclrtHostRegisterV2, RefusesARangeThatIsNotMapped) {
  HostPages pages;
  for (const size_t size : {pages.size() + 1, size_t{1} << 50, SIZE_MAX}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(pages.get(), size, kPinned));
  }
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegisterV2(reinterpret_cast<void*>(uintptr_t{0x1234}), 10, kPinned));
}

TEST_F(AclrtHostRegisterV2, RefusesDeviceMemoryAndMoreThanOneAllocation) {
  const DeviceBuffer device(8192);
  const PinnedBuffer pinned(4096);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(device.get(), 64, kPinned));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(pinned.get(), 4097, kPinned));
}

TEST_F(AclrtHostRegisterV2, JudgesCopiesByTheRegisteredRange) {
  HostPages pages;
  const DeviceBuffer device(4096);
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 100, kPinned));
  EXPECT_OK(aclrtMemcpy(device.get(), 4096, pages.get(), 100, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(device.get(), 4096, pages.get(), 101, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_OK(aclrtMemcpy(device.get(), 4096, pages.get(), 101, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(AclrtHostRegisterV2, ServesManyThreadsAtOnce) {
  HostPages pages(4);
  at_once(4, [&](size_t i) {
    EXPECT_OK(aclrtSetDevice(0));
    uint8_t* own = pages.bytes() + i * HostPages::page();
    for (int round = 0; round < 50; ++round) {
      EXPECT_OK(aclrtHostRegisterV2(own, HostPages::page(), kMapped));
      EXPECT_OK(aclrtHostUnregister(own));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

}  // namespace
}  // namespace conformance::memory::aclrtHostRegisterV2_test
