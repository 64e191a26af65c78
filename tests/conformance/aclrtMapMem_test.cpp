// SPDX-License-Identifier: Apache-2.0
// aclrtMapMem: physical memory gets an address.
#include "support/at_once.h"
#include "support/map_function.h"
#include "support/needs.h"

namespace conformance::virtual_memory::aclrtMapMem_test {
namespace {

using AclrtMapMem = WithDevice;

constexpr MapFunction kFunction = {"aclrtMapMem", aclrtMapMem};

TEST_F(AclrtMapMem, ChecksItsArgumentsInOrder) {
  expect_map_checks_in_order(kFunction);
}

TEST_F(AclrtMapMem, MapsOnlyWholeGranulesOfOneReservation) {
  expect_maps_only_whole_granules_of_one_reservation(kFunction);
}

TEST_F(AclrtMapMem, NeverOverlapsAnotherMapping) {
  expect_never_overlaps(kFunction);
}

TEST_F(AclrtMapMem, KeepsTheSideOfAReservation) {
  expect_keeps_the_side_of_a_reservation(kFunction);
}

TEST_F(AclrtMapMem, FixesNothingWhenItIsRefused) {
  expect_a_refused_mapping_fixes_nothing(kFunction);
}

TEST_F(AclrtMapMem, RefusesOffsets) {
  const Reservation reservation(kGranule);
  const Physical memory(2 * kGranule);
  for (const size_t offset : {size_t{1}, kGranule, SIZE_MAX}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtMapMem(reservation.at(), kGranule, offset, memory, 0));
  }
}

TEST_F(AclrtMapMem, RefusesWhatIsNoHandle) {
  const Reservation reservation(kGranule);
  const DeviceBuffer device(64);
  int variable = 0;
  for (void* handle : {device.get(), static_cast<void*>(&variable),
                       static_cast<void*>(reservation.at()), reinterpret_cast<void*>(1)}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtMapMem(reservation.at(), kGranule, 0, handle, 0));
  }
}

TEST_F(AclrtMapMem, MakesTheMemoryReadableAndWritableAtOnce) {
  const Reservation reservation(kGranule);
  const Physical memory;
  const Mapping mapping(reservation.at(), kGranule, memory);
  EXPECT_OK(copy_to_device(reservation.at(), pattern(kGranule, 3)));
  EXPECT_TRUE(holds(reservation.at(), kGranule, 3));
}

TEST_F(AclrtMapMem, MapsAtAnyGranuleOfTheReservation) {
  const Reservation reservation(16 * kGranule);
  std::vector<Physical> memories(3);
  const size_t places[] = {15, 3, 8};
  for (size_t i = 0; i < 3; ++i) {
    char* const address = reservation.at(places[i] * kGranule);
    EXPECT_OK(aclrtMapMem(address, kGranule, 0, memories[i], 0));
    EXPECT_OK(copy_to_device(address, pattern(kGranule, static_cast<uint8_t>(i))));
  }
  for (size_t i = 0; i < 3; ++i) {
    char* const address = reservation.at(places[i] * kGranule);
    EXPECT_TRUE(holds(address, kGranule, static_cast<uint8_t>(i)));
    EXPECT_OK(aclrtUnmapMem(address));
  }
}

TEST_F(AclrtMapMem, MapsTheFrontOfALargerHandle) {
  const Reservation reservation(8 * kGranule);
  const Physical memory(4 * kGranule);
  const Mapping whole(reservation.at(), 4 * kGranule, memory);
  EXPECT_OK(copy_to_device(reservation.at(), pattern(4 * kGranule, 6)));
  const Mapping front(reservation.at(4 * kGranule), 3 * kGranule, memory);
  EXPECT_TRUE(holds(reservation.at(4 * kGranule), 3 * kGranule, 6));
  std::vector<uint8_t> byte(1);
  EXPECT_FAILS_WITH(kBadValue, aclrtMemcpy(byte.data(), 1, reservation.at(7 * kGranule), 1,
                                           ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMapMem, MakesAliasesOfOneHandle) {
  const Reservation first(2 * kGranule);
  const Reservation second(kGranule);
  const Physical memory;
  const Mapping here(first.at(), kGranule, memory);
  const Mapping beside(first.at(kGranule), kGranule, memory);
  const Mapping there(second.at(), kGranule, memory);
  EXPECT_OK(copy_to_device(second.at(100), pattern(5000, 9)));
  EXPECT_TRUE(holds(first.at(100), 5000, 9));
  EXPECT_TRUE(holds(first.at(kGranule + 100), 5000, 9));
  EXPECT_OK(copy_to_device(first.at(kGranule), pattern(5000, 10)));
  EXPECT_TRUE(holds(second.at(), 5000, 10));
}

TEST_F(AclrtMapMem, ShowsTheBytesOfAHandleThatWasMappedBefore) {
  const Physical memory;
  for (uint8_t round = 1; round <= 4; ++round) {
    const Reservation reservation(4 * kGranule);
    const Mapping mapping(reservation.at((round - 1) * kGranule), kGranule, memory);
    char* const address = reservation.at((round - 1) * kGranule);
    if (round > 1) {
      EXPECT_TRUE(holds(address, kGranule, round - 1));
    }
    EXPECT_OK(copy_to_device(address, pattern(kGranule, round)));
  }
}

TEST_F(AclrtMapMem, NeedsNoContext) {
  const Reservation reservation(kGranule);
  const Physical memory;
  on_new_thread([&] { const Mapping mapping(reservation.at(), kGranule, memory); });
}

TEST_F(AclrtMapMem, MapsNeighboursOnManyThreads) {
  const Reservation reservation(32 * kGranule);
  at_once(4, [&](size_t thread) {
    EXPECT_OK(aclrtSetDevice(0));
    for (size_t i = thread; i < 32; i += 4) {
      const Physical memory;
      const Mapping mapping(reservation.at(i * kGranule), kGranule, memory);
      EXPECT_OK(copy_to_device(reservation.at(i * kGranule), pattern(4096)));
      EXPECT_TRUE(holds(reservation.at(i * kGranule), 4096, 1));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(AclrtMapMem, GivesAPlaceToOneOfManyThreads) {
  const Reservation reservation(kGranule);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> mapped = 0;
    at_once(4, [&](size_t) {
      const Physical memory;
      const aclError code = aclrtMapMem(reservation.at(), kGranule, 0, memory, 0);
      EXPECT_TRUE(code == ACL_SUCCESS || code == kRefused) << code;
      mapped += code == ACL_SUCCESS ? 1 : 0;
    });
    EXPECT_EQ(1, mapped);
    EXPECT_OK(aclrtUnmapMem(reservation.at()));
  }
}

FERRY_PROCESS_TEST(AclrtMapMemProcess, MapsMemoryOf1GiBKindsIn1GiB, "FERRY_MEMORY=4G") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  const Reservation reservation(4 * kGibibyte);
  const Physical memory(2 * kGibibyte, prop_of(on_device(), ACL_HBM_MEM_HUGE1G));
  for (const size_t size : {kGranule, kGibibyte + kGranule, 3 * kGibibyte})
    EXPECT_TRUE(map_refused(kFunction, reservation.at(), size, memory)) << size;
  EXPECT_TRUE(map_refused(kFunction, reservation.at(kGranule), kGibibyte, memory));
  const Mapping whole(reservation.at(kGibibyte), 2 * kGibibyte, memory);
  const Mapping front(reservation.at(), kGibibyte, memory);
  EXPECT_OK(copy_to_device(reservation.at(2 * kGibibyte - 50), pattern(100, 7)));
  EXPECT_TRUE(holds(reservation.at(2 * kGibibyte - 50), 100, 7));
  EXPECT_TRUE(holds(reservation.at(kGibibyte - 50), 50, 7));
}

FERRY_PROCESS_TEST(AclrtMapMemProcess, KeepsTheDeviceOfAReservation, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  const Physical first;
  const Physical second(kGranule, prop_of(on_device(1)));
  const Reservation reservation(2 * kGranule);
  { const Mapping mapping(reservation.at(), kGranule, second); }
  EXPECT_TRUE(map_refused(kFunction, reservation.at(kGranule), kGranule, first));
  EXPECT_TRUE(map_refused(kFunction, reservation.at(), kGranule, first));
  const Mapping mapping(reservation.at(kGranule), kGranule, second);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(reservation.at(kGranule), &attributes));
  EXPECT_EQ(1u, attributes.location.id);
}

FERRY_PROCESS_TEST(AclrtMapMemProcess, WorksBeforeAnyDeviceIsSet) {
  const Reservation reservation(kGranule);
  const Physical memory;
  const Mapping mapping(reservation.at(), kGranule, memory);
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMapMem_test
