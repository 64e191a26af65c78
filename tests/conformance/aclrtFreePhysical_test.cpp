// SPDX-License-Identifier: Apache-2.0
// aclrtFreePhysical: gives up one reference to physical memory.
#include "support/argument_checks.h"
#include "support/at_once.h"
#include "support/needs.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtFreePhysical_test {
namespace {

using AclrtFreePhysical = WithDevice;

void expect_refused(aclrtDrvMemHandle handle) {
  clear_errors();
  EXPECT_FAILS_WITH(kBadValue, aclrtFreePhysical(handle));
  expect_last_error_of(kBadValue);
}

TEST_F(AclrtFreePhysical, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtFreePhysical(nullptr));
  expect_last_error_of(kBadArgument);
}

TEST_F(AclrtFreePhysical, RefusesADeadHandle) {
  expect_refused(dead_handle());
}

TEST_F(AclrtFreePhysical, RefusesWhatIsNoHandle) {
  const Reservation reservation(kGranule);
  const DeviceBuffer device(64);
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  int variable = 0;
  for (void* handle :
       {static_cast<void*>(reservation.at()), device.get(), stream, static_cast<void*>(&variable),
        reinterpret_cast<void*>(1), reinterpret_cast<void*>(UINTPTR_MAX)}) {
    expect_refused(handle);
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtFreePhysical, LeavesAMappingUsableAndTheHandleDead) {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  const size_t before = free_bytes();
  const Reservation reservation(2 * kGranule);
  const aclrtDrvMemHandle handle = Physical().give_up();
  EXPECT_OK(aclrtMapMem(reservation.at(), kGranule, 0, handle, 0));
  EXPECT_OK(copy_to_device(reservation.at(), pattern(4096, 5)));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_TRUE(holds(reservation.at(), 4096, 5));
  EXPECT_EQ(before - kGranule, free_bytes()) << "the memory is still mapped";
  expect_refused(handle);  // more frees than references
  EXPECT_FAILS_WITH(kBadValue, aclrtMapMem(reservation.at(kGranule), kGranule, 0, handle, 0));
  aclrtPhysicalMemProp prop = {};
  EXPECT_FAILS_WITH(kBadValue, aclrtMemGetAllocationPropertiesFromHandle(handle, &prop));
  EXPECT_OK(aclrtUnmapMem(reservation.at()));
  EXPECT_EQ(before, free_bytes());
  expect_refused(handle);
}

TEST_F(AclrtFreePhysical, KeepsTheMemoryForTheLastOfSeveralMappings) {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  const size_t before = free_bytes();
  const Reservation reservation(3 * kGranule);
  {
    const Physical memory;
    for (size_t i = 0; i < 3; ++i)
      EXPECT_OK(aclrtMapMem(reservation.at(i * kGranule), kGranule, 0, memory, 0));
    EXPECT_OK(copy_to_device(reservation.at(), pattern(64, 5)));
  }
  for (const size_t i : {0, 2}) {
    EXPECT_OK(aclrtUnmapMem(reservation.at(i * kGranule)));
    EXPECT_EQ(before - kGranule, free_bytes());
    EXPECT_TRUE(holds(reservation.at(kGranule), 64, 5));
  }
  EXPECT_OK(aclrtUnmapMem(reservation.at(kGranule)));
  EXPECT_EQ(before, free_bytes());
}

TEST_F(AclrtFreePhysical, NeedsNoContext) {
  const aclrtDrvMemHandle handle = Physical().give_up();
  on_new_thread([&] { EXPECT_OK(aclrtFreePhysical(handle)); });
}

TEST_F(AclrtFreePhysical, SucceedsOnceOnManyThreads) {
  for (int round = 0; round < 20; ++round) {
    const aclrtDrvMemHandle handle = Physical().give_up();
    std::atomic<int> freed = 0;
    at_once(4, [&](size_t) {
      const aclError code = aclrtFreePhysical(handle);
      EXPECT_TRUE(code == ACL_SUCCESS || code == kBadValue) << code;
      freed += code == ACL_SUCCESS ? 1 : 0;
    });
    EXPECT_EQ(1, freed);
  }
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtFreePhysical_test
