// SPDX-License-Identifier: Apache-2.0
// aclrtUnmapMem: undoes a mapping at once. What it means for queued work is in
// virtual_memory_in_flight_test.cpp.
#include "support/argument_checks.h"
#include "support/at_once.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtUnmapMem_test {
namespace {

using AclrtUnmapMem = WithDevice;

void expect_refused(void* address) {
  clear_errors();
  EXPECT_FAILS(kRefused, "EE1017", aclrtUnmapMem(address));
  expect_last_error_of(kRefused);
}

TEST_F(AclrtUnmapMem, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtUnmapMem(nullptr));
  expect_last_error_of(kBadArgument);
}

TEST_F(AclrtUnmapMem, RefusesWhatIsNotTheStartOfAMapping) {
  const Reservation reservation(8 * kGranule);
  const Physical memory(2 * kGranule);
  const Mapping mapping(reservation.at(2 * kGranule), 2 * kGranule, memory);
  EXPECT_OK(copy_to_device(reservation.at(2 * kGranule), pattern(64, 3)));
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  int variable = 0;
  for (void* address :
       {static_cast<void*>(reservation.at()), static_cast<void*>(reservation.at(kGranule)),
        static_cast<void*>(reservation.at(2 * kGranule + 1)),
        static_cast<void*>(reservation.at(3 * kGranule)),
        static_cast<void*>(reservation.at(4 * kGranule)), device.get(), pinned.get(),
        static_cast<void*>(&variable), reinterpret_cast<void*>(1)}) {
    expect_refused(address);
  }
  EXPECT_TRUE(holds(reservation.at(2 * kGranule), 64, 3));
}

TEST_F(AclrtUnmapMem, RefusesASecondTime) {
  const Reservation reservation(kGranule);
  const Physical memory;
  { const Mapping mapping(reservation.at(), kGranule, memory); }
  expect_refused(reservation.at());
}

TEST_F(AclrtUnmapMem, TakesTheMemoryAwayAndLeavesTheNeighbours) {
  Region region(3);
  region.fill(4);
  region.unmap(1);
  const std::vector<uint8_t> bytes = pattern(3 * kGranule, 4);
  for (const size_t offset : {kGranule, 2 * kGranule - 1}) {
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(region.at(offset), &attributes));
    EXPECT_EQ(ACL_MEM_LOCATION_TYPE_UNREGISTERED, attributes.location.type);
    std::vector<uint8_t> byte(1);
    EXPECT_FAILS_WITH(kBadValue,
                      aclrtMemcpy(byte.data(), 1, region.at(offset), 1, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  for (const size_t offset : {size_t{0}, 2 * kGranule}) {
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(offset);
    EXPECT_TRUE(std::vector<uint8_t>(begin, begin + kGranule) ==
                bytes_at(region.at(offset), kGranule));
  }
}

TEST_F(AclrtUnmapMem, LeavesAliasesAlone) {
  const Reservation reservation(2 * kGranule);
  const Physical memory;
  const Mapping kept(reservation.at(), kGranule, memory);
  {
    const Mapping gone(reservation.at(kGranule), kGranule, memory);
    EXPECT_OK(copy_to_device(reservation.at(kGranule), pattern(64, 3)));
  }
  EXPECT_TRUE(holds(reservation.at(), 64, 3));
}

TEST_F(AclrtUnmapMem, LetsThePlaceBeMappedAgainAtOnce) {
  Region region(2);
  region.fill(1);
  const Physical other;
  region.unmap(0);
  region.map(0, other);
  EXPECT_OK(copy_to_device(region.at(), pattern(kGranule, 9)));
  EXPECT_TRUE(holds(region.at(), kGranule, 9));
  region.unmap(0);
  region.map(0);
  EXPECT_TRUE(region.read() == pattern(2 * kGranule, 1));
}

// Larger and smaller mappings may follow each other at one place.
TEST_F(AclrtUnmapMem, LetsThePlaceBeDividedAnew) {
  const Reservation reservation(4 * kGranule);
  const Physical large(4 * kGranule);
  const Physical small;
  { const Mapping mapping(reservation.at(), 4 * kGranule, large); }
  {
    const Mapping first(reservation.at(kGranule), kGranule, small);
    const Mapping second(reservation.at(2 * kGranule), 2 * kGranule, large);
    EXPECT_OK(copy_to_device(reservation.at(2 * kGranule - 32), pattern(64, 3)));
    EXPECT_TRUE(holds(reservation.at(2 * kGranule - 32), 64, 3));
  }
  const Mapping mapping(reservation.at(), 4 * kGranule, large);
  EXPECT_OK(copy_to_device(reservation.at(), pattern(4 * kGranule, 5)));
  EXPECT_TRUE(holds(reservation.at(), 4 * kGranule, 5));
}

TEST_F(AclrtUnmapMem, NeedsNoContext) {
  const Reservation reservation(kGranule);
  const Physical memory;
  Mapping mapping(reservation.at(), kGranule, memory);
  mapping.give_up();
  on_new_thread([&] { EXPECT_OK(aclrtUnmapMem(reservation.at())); });
}

TEST_F(AclrtUnmapMem, SucceedsOnOneOfManyThreads) {
  const Reservation reservation(kGranule);
  const Physical memory;
  for (int round = 0; round < 20; ++round) {
    Mapping mapping(reservation.at(), kGranule, memory);
    mapping.give_up();
    std::atomic<int> unmapped = 0;
    at_once(4, [&](size_t) {
      const aclError code = aclrtUnmapMem(reservation.at());
      EXPECT_TRUE(code == ACL_SUCCESS || code == kRefused) << code;
      unmapped += code == ACL_SUCCESS ? 1 : 0;
    });
    EXPECT_EQ(1, unmapped);
  }
}

// All accesses that were granted on the mapping go with it.
FERRY_PROCESS_TEST(AclrtUnmapMemProcess, UndoesEveryAccess, "FERRY_DEVICES=cpu:2") {
  const Reservation reservation(kGranule);
  const Physical memory;
  aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, on_device(1), {}};
  aclrtMemLocation second = on_device(1);
  uint64_t flag = 77;
  {
    const Mapping mapping(reservation.at(), kGranule, memory);
    EXPECT_OK(aclrtMemSetAccess(reservation.at(), kGranule, &desc, 1));
    EXPECT_OK(aclrtMemGetAccess(reservation.at(), &second, &flag));
    EXPECT_EQ(3u, flag);
  }
  const Mapping mapping(reservation.at(), kGranule, memory);
  EXPECT_OK(aclrtMemGetAccess(reservation.at(), &second, &flag));
  EXPECT_EQ(0u, flag);
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtUnmapMem_test
