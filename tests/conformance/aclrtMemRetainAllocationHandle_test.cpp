// SPDX-License-Identifier: Apache-2.0
// aclrtMemRetainAllocationHandle: the handle behind an address, with one more reference.
#include "support/argument_checks.h"
#include "support/needs.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemRetainAllocationHandle_test {
namespace {

using AclrtMemRetainAllocationHandle = WithDevice;

void expect_refused(void* address) {
  aclrtDrvMemHandle handle = untouched();
  clear_errors();
  EXPECT_FAILS(kRefused, "EE1017", aclrtMemRetainAllocationHandle(address, &handle));
  expect_last_error_of(kRefused);
  EXPECT_EQ(untouched(), handle);
}

TEST_F(AclrtMemRetainAllocationHandle, RefusesNull) {
  Region region(1);
  aclrtDrvMemHandle handle = untouched();
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemRetainAllocationHandle(nullptr, &handle));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemRetainAllocationHandle(region.at(), nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemRetainAllocationHandle(nullptr, nullptr));
  expect_last_error_of(kBadArgument);
  EXPECT_EQ(untouched(), handle);
}

TEST_F(AclrtMemRetainAllocationHandle, RefusesWhatIsNotTheStartOfAMapping) {
  Region region(3);
  region.unmap(1);
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  int variable = 0;
  for (void* address : {static_cast<void*>(region.at(1)), static_cast<void*>(region.at(kGranule)),
                        static_cast<void*>(region.at(3 * kGranule - 1)), device.get(), pinned.get(),
                        static_cast<void*>(&variable), reinterpret_cast<void*>(1)}) {
    expect_refused(address);
  }
}

TEST_F(AclrtMemRetainAllocationHandle, GivesTheValueOfAclrtMallocPhysical) {
  const Reservation reservation(3 * kGranule);
  const Physical memory;
  const Physical other;
  const Mapping first(reservation.at(), kGranule, memory);
  const Mapping second(reservation.at(kGranule), kGranule, other);
  const Mapping alias(reservation.at(2 * kGranule), kGranule, memory);
  const aclrtDrvMemHandle expected[] = {memory, other, memory};
  for (size_t i = 0; i < 3; ++i) {
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(reservation.at(i * kGranule), &handle));
    EXPECT_EQ(expected[i], handle);
    EXPECT_OK(aclrtFreePhysical(handle));
  }
}

TEST_F(AclrtMemRetainAllocationHandle, AddsOneReferenceEachTime) {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  const size_t before = free_bytes();
  const Reservation reservation(kGranule);
  const aclrtDrvMemHandle memory = Physical().give_up();
  aclrtDrvMemHandle handle = nullptr;
  {
    const Mapping mapping(reservation.at(), kGranule, memory);
    for (int i = 0; i < 3; ++i)
      EXPECT_OK(aclrtMemRetainAllocationHandle(reservation.at(), &handle));
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(before - kGranule, free_bytes());
    EXPECT_OK(aclrtFreePhysical(memory));
  }
  EXPECT_EQ(before, free_bytes());
  EXPECT_FAILS_WITH(kBadValue, aclrtFreePhysical(memory));
}

TEST_F(AclrtMemRetainAllocationHandle, RevivesAHandleThatOnlyAMappingHolds) {
  Region region(2);
  region.unmap(1);
  const aclrtDrvMemHandle memory = Physical().give_up();
  region.map(1, memory);
  EXPECT_OK(copy_to_device(region.at(kGranule), pattern(64, 6)));
  EXPECT_OK(aclrtFreePhysical(memory));
  EXPECT_FAILS_WITH(kBadValue, aclrtFreePhysical(memory));
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_OK(aclrtMemRetainAllocationHandle(region.at(kGranule), &handle));
  EXPECT_EQ(memory, handle);
  region.unmap(1);
  region.map(1, handle);
  EXPECT_TRUE(holds(region.at(kGranule), 64, 6));
  EXPECT_OK(aclrtFreePhysical(handle));
}

TEST_F(AclrtMemRetainAllocationHandle, NeedsNoContext) {
  Region region(1);
  on_new_thread([&] {
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(region.at(), &handle));
    EXPECT_OK(aclrtFreePhysical(handle));
  });
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemRetainAllocationHandle_test
