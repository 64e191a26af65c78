// SPDX-License-Identifier: Apache-2.0
// What other functions say about virtual memory: pointer attributes, calls that free plain memory,
// and the end of a device or of the library.
#include "support/argument_checks.h"
#include "support/virtual_memory.h"

#include <cstring>

namespace conformance::virtual_memory::virtual_memory_attributes_test {
namespace {

using VirtualMemoryAttributes = WithDevice;

void expect_attributes(const void* address, aclrtMemLocation where, uint32_t page_size) {
  aclrtPtrAttributes attributes;
  std::memset(&attributes, 0x5a, sizeof attributes);
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  EXPECT_EQ(where.type, attributes.location.type);
  EXPECT_EQ(where.id, attributes.location.id);
  EXPECT_EQ(page_size, attributes.pageSize);
  for (const uint32_t word : attributes.rsv)
    EXPECT_EQ(0u, word);
}

void expect_no_memory(const void* address) {
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_UNREGISTERED, attributes.location.type);
  EXPECT_EQ(0u, attributes.location.id);
}

TEST_F(VirtualMemoryAttributes, TellTheDeviceOfAMapping) {
  Region region(2);
  for (const size_t offset : {size_t{0}, size_t{1}, kGranule, 2 * kGranule - 1})
    expect_attributes(region.at(offset), on_device(), 2 << 20);
}

TEST_F(VirtualMemoryAttributes, TellTheHostOfAMapping) {
  Region region(2, prop_of(on_host()));
  Region node(1, prop_of(location(4)));
  for (const size_t offset : {size_t{0}, size_t{1}, kGranule, 2 * kGranule - 1})
    expect_attributes(region.at(offset), on_host(), 4096);
  expect_attributes(node.at(), on_host(), 4096);
}

TEST_F(VirtualMemoryAttributes, TellNothingWhereNothingIsMapped) {
  Region region(3);
  region.unmap(1);
  expect_no_memory(region.at(kGranule));
  expect_no_memory(region.at(2 * kGranule - 1));
  const Reservation reservation(kGranule);
  expect_no_memory(reservation.at());
}

FERRY_PROCESS_TEST(VirtualMemoryAttributesProcess, TellTheNumberTheProgramUses,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,1") {
  for (const uint32_t id : {0u, 1u}) {
    Region region(1, prop_of(on_device(id)));
    expect_attributes(region.at(), on_device(id), 2 << 20);
  }
}

TEST_F(VirtualMemoryAttributes, AreNoReasonToFreeThem) {
  Region device(2);
  device.fill(1);
  Region host(2, prop_of(on_host()));
  const Reservation reservation(kGranule);
  for (char* address : {device.at(), device.at(1), device.at(kGranule), host.at(),
                        host.at(kGranule), reservation.at()}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtFree(address));
    EXPECT_FAILS_WITH(kBadValue, aclrtFreeWithDevSync(address));
    EXPECT_FAILS_WITH(kBadValue, aclrtFreeHost(address));
    EXPECT_FAILS_WITH(kBadValue, aclrtFreeHostWithDevSync(address));
  }
  EXPECT_TRUE(device.read() == pattern(2 * kGranule, 1));
}

// Like memory of aclrtMalloc, which a reset leaves as it is.
TEST_F(VirtualMemoryAttributes, StayWhenTheDeviceIsReset) {
  Region region(1);
  region.fill(1);
  DeviceBuffer plain(64);
  plain.write(pattern(64, 2));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(pattern(64, 2), plain.read());
  EXPECT_TRUE(region.read() == pattern(kGranule, 1));
  region.unmap(0);
  region.map(0);
  EXPECT_TRUE(region.read() == pattern(kGranule, 1));
}

FERRY_PROCESS_TEST(VirtualMemoryAttributesProcess, StayWhenTheLibraryIsFinalised) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  Region region(1);
  region.fill(1);
  EXPECT_OK(aclFinalize());
  EXPECT_TRUE(region.read() == pattern(kGranule, 1));
}

TEST_F(VirtualMemoryAttributes, DoNotDependOnTheContext) {
  aclrtContext before = nullptr;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&before));
  ASSERT_OK(aclrtCreateContext(&context, 0));
  Region region(1);
  region.fill(1);
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(before));
  EXPECT_TRUE(region.read() == pattern(kGranule, 1));
}

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_attributes_test
