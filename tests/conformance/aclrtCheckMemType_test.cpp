// SPDX-License-Identifier: Apache-2.0
// aclrtCheckMemType: whether addresses are memory of given types on the current device.
#include "support/managed.h"
#include "support/needs.h"

namespace conformance::copies::aclrtCheckMemType_test {
namespace {

using AclrtCheckMemType = WithDevice;

constexpr uint32_t kAllTypes = ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD;

uint32_t check(std::vector<void*> addresses, uint32_t types) {
  uint32_t result = 77;
  EXPECT_OK(aclrtCheckMemType(addresses.data(), static_cast<uint32_t>(addresses.size()), types,
                              &result, 0));
  return result;
}

TEST_F(AclrtCheckMemType, KnowsDeviceMemoryToItsLastByte) {
  const DeviceBuffer first(64);
  const DeviceBuffer second(64);
  EXPECT_EQ(check({first.get(), first.at(63), second.at(1)}, ACL_RT_MEM_TYPE_DEV), 1u);
  EXPECT_EQ(check({first.get()}, kAllTypes), 1u);
}

TEST_F(AclrtCheckMemType, DeviceMemoryIsOfNoOtherType) {
  const DeviceBuffer device(64);
  EXPECT_EQ(check({device.get()}, ACL_RT_MEM_TYPE_DVPP), 0u);
  EXPECT_EQ(check({device.get()}, ACL_RT_MEM_TYPE_RSVD), 0u);
  EXPECT_EQ(check({device.get()}, 0), 0u);
}

TEST_F(AclrtCheckMemType, OneOtherAddressIsEnough) {
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  char pageable = 0;
  for (void* const other : {pinned.get(), static_cast<void*>(&pageable), unmapped_address(),
                            static_cast<void*>(nullptr)}) {
    EXPECT_EQ(check({device.get(), other}, kAllTypes), 0u);
  }
}

TEST_F(AclrtCheckMemType, ManagedMemoryIsNoDeviceMemory) {
  NEEDS_MANAGED_MEMORY();
  const ManagedBuffer managed(1);
  EXPECT_EQ(check({managed.get()}, kAllTypes), 0u);
}

// Mapped or not.
TEST_F(AclrtCheckMemType, ReservedAddressesAreATypeOfTheirOwn) {
  NEEDS_CPU_DEVICE("other devices have no virtual memory yet");
  constexpr size_t kSize = size_t{2} << 20;
  const aclrtPhysicalMemProp property{ACL_MEM_HANDLE_TYPE_NONE,
                                      ACL_MEM_ALLOCATION_TYPE_PINNED,
                                      ACL_HBM_MEM_HUGE,
                                      {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                      0};
  void* reserved = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&reserved, 2 * kSize, 0, nullptr, 0));
  ASSERT_OK(aclrtMallocPhysical(&handle, kSize, &property, 0));
  ASSERT_OK(aclrtMapMem(reserved, kSize, 0, handle, 0));
  void* const unmapped = static_cast<char*>(reserved) + 2 * kSize - 1;
  EXPECT_EQ(check({reserved, unmapped}, ACL_RT_MEM_TYPE_RSVD), 1u);
  EXPECT_EQ(check({reserved}, ACL_RT_MEM_TYPE_DEV), 0u);
  const DeviceBuffer device(64);
  EXPECT_EQ(check({reserved, device.get()}, kAllTypes), 1u);
  EXPECT_OK(aclrtUnmapMem(reserved));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_OK(aclrtReleaseMemAddress(reserved));
  EXPECT_EQ(check({reserved}, kAllTypes), 0u);
}

TEST_F(AclrtCheckMemType, ForgetsMemoryThatWasFreed) {
  void* address = nullptr;
  ASSERT_OK(aclrtMalloc(&address, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(check({address}, ACL_RT_MEM_TYPE_DEV), 1u);
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(check({address}, ACL_RT_MEM_TYPE_DEV), 0u);
}

TEST_F(AclrtCheckMemType, RefusesInTheOrderOfTheContract) {
  void* address = nullptr;
  uint32_t result = 77;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCheckMemType(nullptr, 0, 1, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCheckMemType(nullptr, 0, 1, &result, 1));
  EXPECT_EQ(result, 77u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCheckMemType(&address, 0, 1, nullptr, 1));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  on_new_thread([&] {
    const auto expect_fails = [&](aclError code, const char* message_code, uint32_t size,
                                  uint32_t types, uint32_t reserve) {
      result = 77;
      EXPECT_FAILS(code, message_code, aclrtCheckMemType(&address, size, types, &result, reserve));
      EXPECT_EQ(result, 0u);
    };
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", 0, 1, 1);
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", 0, 1, 0);
    for (const uint32_t types : {1u, 3u, 4u, 0x20u, UINT32_MAX})
      expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", 1, types, 0);
    expect_fails(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", 1, ACL_RT_MEM_TYPE_DEV, 0);
  });
}

FERRY_PROCESS_TEST(AclrtCheckMemTypeProcess, KnowsOnlyTheCurrentDevice, "FERRY_DEVICES=cpu:2") {
  TwoDevices devices(64);
  EXPECT_EQ(check({devices.buffer(0).get()}, ACL_RT_MEM_TYPE_DEV), 1u);
  EXPECT_EQ(check({devices.buffer(1).get()}, ACL_RT_MEM_TYPE_DEV), 0u);
  devices.use(1);
  EXPECT_EQ(check({devices.buffer(1).get()}, ACL_RT_MEM_TYPE_DEV), 1u);
  devices.use(0);
}

}  // namespace
}  // namespace conformance::copies::aclrtCheckMemType_test
