// SPDX-License-Identifier: Apache-2.0
// aclrtMemGetAddressRange: the mapping or block that holds an address.
#include "support/argument_checks.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemGetAddressRange_test {
namespace {

using AclrtMemGetAddressRange = WithDevice;

void expect_range(void* address, void* base, size_t size) {
  void* found = untouched();
  size_t length = 77;
  EXPECT_OK(aclrtMemGetAddressRange(address, &found, &length));
  EXPECT_EQ(base, found);
  EXPECT_EQ(size, length);
}

void expect_refused(void* address) {
  void* found = untouched();
  size_t length = 77;
  clear_errors();
  EXPECT_FAILS_WITH(kBadValue, aclrtMemGetAddressRange(address, &found, &length));
  expect_last_error_of(kBadValue);
  EXPECT_EQ(untouched(), found);
  EXPECT_EQ(77u, length);
}

TEST_F(AclrtMemGetAddressRange, ChecksItsArgumentsInOrder) {
  void* base = nullptr;
  size_t size = 0;
  int variable = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemGetAddressRange(nullptr, &base, &size));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemGetAddressRange(nullptr, nullptr, nullptr));
  expect_last_error_of(kBadArgument);
  const DeviceBuffer device(64);
  for (void* address : {device.get(), static_cast<void*>(&variable)}) {
    clear_errors();
    EXPECT_FAILS(kBadValue, "EE1022", aclrtMemGetAddressRange(address, nullptr, nullptr));
    expect_last_error_of(kBadValue);
  }
}

TEST_F(AclrtMemGetAddressRange, TakesOneOutputOfTwo) {
  Region region(1);
  void* base = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtMemGetAddressRange(region.at(5), &base, nullptr));
  EXPECT_EQ(region.at(), base);
  EXPECT_OK(aclrtMemGetAddressRange(region.at(5), nullptr, &size));
  EXPECT_EQ(kGranule, size);
}

TEST_F(AclrtMemGetAddressRange, TellsTheMappingNotTheReservation) {
  const Reservation reservation(8 * kGranule);
  const Physical memory(3 * kGranule);
  const Mapping first(reservation.at(kGranule), 3 * kGranule, memory);
  const Mapping second(reservation.at(4 * kGranule), 2 * kGranule, memory);
  for (const size_t offset : {size_t{0}, size_t{1}, kGranule, 3 * kGranule - 1})
    expect_range(reservation.at(kGranule + offset), reservation.at(kGranule), 3 * kGranule);
  for (const size_t offset : {size_t{0}, 2 * kGranule - 1})
    expect_range(reservation.at(4 * kGranule + offset), reservation.at(4 * kGranule), 2 * kGranule);
}

TEST_F(AclrtMemGetAddressRange, TellsHostMappings) {
  Region region(2, prop_of(on_host()));
  expect_range(region.at(kGranule + 7), region.at(kGranule), kGranule);
}

TEST_F(AclrtMemGetAddressRange, TellsBlocksWithTheirPadding) {
  void* padded = nullptr;
  void* aligned = nullptr;
  ASSERT_OK(aclrtMalloc(&padded, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMallocAlign32(&aligned, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  for (const size_t offset : {0, 99, 127}) {
    expect_range(static_cast<char*>(padded) + offset, padded, 160);
    expect_range(static_cast<char*>(aligned) + offset, aligned, 128);
  }
  EXPECT_OK(aclrtFree(padded));
  EXPECT_OK(aclrtFree(aligned));
  expect_refused(padded);
}

TEST_F(AclrtMemGetAddressRange, TellsPinnedBlocks) {
  const PinnedBuffer pinned(8192);
  expect_range(pinned.get(), pinned.get(), 8192);
  expect_range(pinned.bytes() + 8191, pinned.get(), 8192);
}

TEST_F(AclrtMemGetAddressRange, RefusesWhatIsNotAllocated) {
  Region region(3);
  region.unmap(1);
  int variable = 0;
  for (void* address :
       {static_cast<void*>(region.at(kGranule)), static_cast<void*>(region.at(2 * kGranule - 1)),
        static_cast<void*>(&variable), reinterpret_cast<void*>(1)}) {
    expect_refused(address);
  }
}

TEST_F(AclrtMemGetAddressRange, NeedsNoContext) {
  Region region(1);
  on_new_thread([&] { expect_range(region.at(1), region.at(), kGranule); });
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemGetAddressRange_test
